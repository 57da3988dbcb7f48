import { authenticatorAppCalls } from '@anteroom/contract/authenticator-app';
import type { Locale } from '@anteroom/contract';
import type { ReactNode } from 'react';
import { asBase } from '../../../api/client.ts';
import { sendCall } from '../../../api/send-call.ts';
import type { CallEnvironment } from '../../../api/send-call.ts';
import type { Failure } from '../../../flow/events.ts';
import { loadLanguage } from '../../../i18n/current-language.ts';
import { needTexts } from '../../../i18n/locale-file.ts';
import { AuthenticatorScreen } from './AuthenticatorScreen.tsx';

/**
 * Loads the texts and the user's authenticator app, or the data to set one up.
 * @throws if the texts cannot be loaded
 */
export async function loadAuthenticator({
  locale,
  correlation,
  base,
  returnUrl,
}: Pick<CallEnvironment, 'correlation' | 'base'> & {
  locale: Locale;
  returnUrl: string | undefined;
}): Promise<{ part: ReactNode } | { failure: Failure }> {
  needTexts('authenticator');
  const [result] = await Promise.all([
    sendCall(
      authenticatorAppCalls.describeAuthenticatorApp,
      { body: { returnUrl } },
      { correlation, locale, base: asBase(base), extensions: ['totp'] },
    ),
    loadLanguage(locale),
  ]);
  if (!result.ok) return { failure: result.failure };
  const { enrolment, mfaPhoneNumberSuffix } = result.answer;
  return {
    part: <AuthenticatorScreen enrolment={enrolment} phoneNumberSuffix={mfaPhoneNumberSuffix} />,
  };
}
