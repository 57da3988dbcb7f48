import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { StartAgain } from '../StartAgain.tsx';

/** Tells the user to verify the sign-in e-mail address, after which the sign-in can continue. */
export function RequireVerifiedLoginEmailScreen(): ReactNode {
  const { t } = useLanguage();
  return (
    <>
      <Heading>{t('error.verifiedEmailRequired.heading')}</Heading>
      <Description>{t('error.verifiedEmailRequired.description')}</Description>
      <FormActions>
        <StartAgain asksOthers />
      </FormActions>
    </>
  );
}
