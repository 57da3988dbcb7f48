import type { ReactNode } from 'react';
import { useId } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Description } from '../../ui/text/Description.tsx';
import { Heading } from '../../ui/text/Heading.tsx';
import { useFlow } from '../flow-context.tsx';
import { PasswordChangeForm } from './PasswordChangeForm.tsx';
import { PolicyLines } from './PolicyLines.tsx';

/** A new password, because it must be changed or because the person wants to. */
export function PasswordChangeScreen(): ReactNode {
  const { t } = useLanguage();
  const isRequired = useFlow((state) => state.page === 'password-reset-required');
  const policyId = useId();
  return (
    <>
      <Heading>{t(isRequired ? 'resetPassword.headingRequired' : 'resetPassword.headingVoluntary')}</Heading>
      <Description>
        {isRequired && <p>{t('resetPassword.descriptionRequired')}</p>}
        <PolicyLines id={policyId} />
      </Description>
      <PasswordChangeForm policyId={policyId} />
    </>
  );
}
