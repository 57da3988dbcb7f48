import type { ReactNode } from 'react';
import { useId } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Description } from '../../ui/text/Description.tsx';
import { Heading } from '../../ui/text/Heading.tsx';
import { useFlow } from '../flow-context.tsx';
import { PolicyList } from '../PolicyList.tsx';
import { PasswordChangeForm } from './PasswordChangeForm.tsx';
import { useMetLines } from '../met-lines.ts';
import { usePolicyLines } from './use-policy-lines.ts';

/** A new password, because it must be changed or because the person wants to. */
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
