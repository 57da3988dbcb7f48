import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { ForgotCredentials } from '../ForgotCredentials.tsx';
import { PasskeyButtonSpace } from '../PasskeyButtonSpace.tsx';
import { SignInForm } from '../SignInForm.tsx';

/** A signed-in user confirms the password before a protected action. */
export function ElevateScreen(): ReactNode {
  const { t } = useLanguage();
  return (
    <>
      <Heading>{t('login.headingElevate')}</Heading>
      <Description>{t('login.descriptionElevate')}</Description>
      <SignInForm action={t('login.confirm')}>
        <ForgotCredentials />
      </SignInForm>
      <PasskeyButtonSpace />
    </>
  );
}
