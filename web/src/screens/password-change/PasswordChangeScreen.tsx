import type { PasswordPolicy } from '@anteroom/contract';
import type { ReactNode } from 'react';
import { useId, useEffect, useMemo } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { PolicyList, useMetLines } from '../PolicyList.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import { describePolicy } from '../policy-text.ts';
import type { PolicyText } from '../policy-text.ts';
import { PasswordChangeForm } from './PasswordChangeForm.tsx';

/** A required or voluntary password change. */
export function PasswordChangeScreen(): ReactNode {
  const { t } = useLanguage();
  const isRequired = useFlow((state) => state.page === 'password-reset-required');
  const { policy, lines } = usePolicyLines();
  const error = useFlow((state) => state.error);
  const refusals = useFlow((state) => state.errorsSeen);
  const { met, onType } = useMetLines(policy, { refusals, refusedLine: error?.policyLine });
  const policyId = useId();
  return (
    <>
      <Heading>{t(isRequired ? 'resetPassword.headingRequired' : 'resetPassword.headingVoluntary')}</Heading>
      <Description>
        {isRequired && <p>{t('resetPassword.descriptionRequired')}</p>}
        <PolicyList id={policyId} lines={lines} met={met} />
      </Description>
      <PasswordChangeForm policyId={lines.length > 0 ? policyId : undefined} onTypeNewPassword={onType} />
    </>
  );
}

/** The password rules and their texts, if the service has any. A rule without a text is reported. */
function usePolicyLines(): { policy: PasswordPolicy | undefined; lines: readonly PolicyText[] } {
  const { find } = useLanguage();
  const send = useSend();
  const policy = useFlow((state) => state.passwordPolicy ?? state.context?.passwordPolicy);
  const { lines, missing } = useMemo(() => describePolicy(policy, find), [policy, find]);

  useEffect(() => {
    for (const what of missing) send({ type: 'TEXT_MISSING', what });
  }, [missing, send]);

  return { policy, lines };
}
