import { useState } from 'react';
import type { ReactNode } from 'react';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Description } from '../../ui/text/Heading.tsx';
import { PasskeyButtonSpace } from '../PasskeyButtonSpace.tsx';
import { SignInForm } from '../SignInForm.tsx';
import { SiteHeading } from '../SiteHeading.tsx';

/** A signed-in user confirms the password before a protected action. */
export function ElevateScreen(): ReactNode {
  const { t } = useLanguage();
  const [passkeyProblem, showPasskeyProblem] = useState<MessageKey>();
  return (
    <>
      <SiteHeading>{t('login.headingElevate')}</SiteHeading>
      <Description>{t('login.descriptionElevate')}</Description>
      <SignInForm action={t('login.confirm')} notice={passkeyProblem} />
      <PasskeyButtonSpace onProblem={showPasskeyProblem} />
    </>
  );
}
