import { useState } from 'react';
import type { ReactNode } from 'react';
import { findOrganisation, isElevate, isUserLookupDue } from '../../flow/context.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Description } from '../../ui/text/Heading.tsx';
import { ClientSupport } from '../ClientSupport.tsx';
import { useFlow } from '../flow-context.tsx';
import { PasskeyButtonSpace } from '../PasskeyButtonSpace.tsx';
import { SignInForm } from '../SignInForm.tsx';
import { SiteHeading } from '../SiteHeading.tsx';
import { StepEntrance } from '../StepEntrance.tsx';
import { UserNameForm } from './UserNameForm.tsx';

/** Requests user name and password, or only the user name until it is known which provider signs the user in. */
export function CredentialsScreen(): ReactNode {
  const { t } = useLanguage();
  const asksForUserNameAlone = useFlow(isUserLookupDue);
  // A password manager fills both fields at once; this state keeps the password until its field is shown.
  const [filledPassword, keepPassword] = useState('');
  const [passkeyProblem, showPasskeyProblem] = useState<MessageKey>();
  return (
    <>
      <Introduction />
      {/* The change of the key moves the focus into the password form, which is a new step for the visitor. */}
      <StepEntrance key={asksForUserNameAlone ? 'user-name' : 'sign-in'}>
        {asksForUserNameAlone ? (
          <UserNameForm keepPassword={keepPassword} notice={passkeyProblem} />
        ) : (
          <SignInForm action={t('login.signIn')} filledPassword={filledPassword} notice={passkeyProblem} />
        )}
      </StepEntrance>
      <PasskeyButtonSpace onProblem={showPasskeyProblem} />
      <ClientSupport message="login.clientSupport" />
    </>
  );
}

/** Says why the visitor is here: to confirm the password, to sign in again, or to sign in to a site. */
function Introduction(): ReactNode {
  const { t } = useLanguage();
  const site = useFlow((state) => findOrganisation(state)?.displayName ?? state.site);
  const isElevating = useFlow(isElevate);
  const isReauthenticating = useFlow((state) => state.context?.reauthRequested ?? false);
  const signInToSite =
    site === undefined ? t('login.heading') : <RichText message="login.headingWithSite" parts={{ site }} />;
  if (!isElevating && !isReauthenticating) return <SiteHeading above={null}>{signInToSite}</SiteHeading>;
  return (
    <>
      <SiteHeading above={site !== undefined && signInToSite}>
        {t(isElevating ? 'login.headingElevate' : 'login.headingReauthenticate')}
      </SiteHeading>
      <Description>
        {t(isElevating ? 'login.descriptionElevate' : 'login.descriptionReauthenticate')}
      </Description>
    </>
  );
}
