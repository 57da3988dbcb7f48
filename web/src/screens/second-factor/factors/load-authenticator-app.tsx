import { authenticatorAppCalls } from '@anteroom/contract/authenticator-app';
import type { OfferedApp } from '@anteroom/contract/authenticator-app';
import type { Locale } from '@anteroom/contract';
import { useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { asBase } from '../../../api/client.ts';
import { sendCall } from '../../../api/send-call.ts';
import type { CallEnvironment } from '../../../api/send-call.ts';
import type { Failure } from '../../../flow/events.ts';
import { findWays } from '../../../flow/second-factor-ways.ts';
import { loadTexts } from '../../../i18n/current-language.ts';
import { useLanguage } from '../../../i18n/language.ts';
import { AppEnrolment } from '../../AppEnrolment.tsx';
import { FormAlert } from '../../FormAlert.tsx';
import { SiteHeading } from '../../SiteHeading.tsx';
import { FactorScreen } from '../FactorScreen.tsx';
import { SigningInAs } from '../SigningInAs.tsx';
import { AppCode } from './AppCode.tsx';
import { factorParts } from './factor-parts.tsx';

/**
 * Loads the texts and the user's authenticator app, or the data to set one up.
 * @throws if the texts cannot be loaded
 */
export async function loadAuthenticatorApp({
  locale,
  correlation,
  base,
  returnUrl,
}: Pick<CallEnvironment, 'correlation' | 'base'> & {
  locale: Locale;
  returnUrl: string | undefined;
}): Promise<{ part: ReactNode } | { failure: Failure }> {
  const [result] = await Promise.all([
    sendCall(
      authenticatorAppCalls.describeAuthenticatorApp,
      { body: { returnUrl } },
      { correlation, locale, base: asBase(base), extensions: ['totp'] },
    ),
    loadTexts('authenticator'),
  ]);
  if (!result.ok) return { failure: result.failure };
  const { enrolment, mfaPhoneNumberSuffix: hint } = result.answer;
  if (enrolment) return { part: <AppSetUpScreen enrolment={enrolment} /> };
  // What such a service would list.
  const messages = hint === undefined ? [] : [{ name: 'sms', hint }];
  const listed = [{ name: 'totp' }, ...messages, { name: 'recovery-code' }];
  return { part: <FactorScreen ways={findWays(listed, false)} isListed={false} loaded={factorParts} /> };
}

/** The user sets up an app during the sign-in, and enters its first code. */
function AppSetUpScreen({ enrolment }: { enrolment: OfferedApp }): ReactNode {
  const { t } = useLanguage();
  const place = useRef<HTMLDivElement>(null);
  // Focuses the content after loading.
  useLayoutEffect(() => place.current?.querySelector<HTMLElement>('h2')?.focus(), []);
  return (
    <div ref={place}>
      <SiteHeading>{t('authenticator.heading')}</SiteHeading>
      <SigningInAs />
      <FormAlert />
      <AppEnrolment {...enrolment} why={t('authenticator.why')}>
        <AppCode isEnrolment />
      </AppEnrolment>
    </div>
  );
}
