import { useEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { returnUrl } from '../../flow/context.ts';
import type { Failure } from '../../flow/events.ts';
import { findWays } from '../../flow/second-factor-ways.ts';
import { isAppAsked } from '../../flow/steps/ask-for-code.ts';
import { useLanguage } from '../../i18n/language.ts';
import { loadLate, requirePart } from '../../late-part.ts';
import { useFlow, useCorrelation, useSend } from '../flow-context.tsx';
import { supportOffer, supportsPasskeys } from '../passkey-support.ts';
import { SiteHeading } from '../SiteHeading.tsx';
import { FactorScreen } from './FactorScreen.tsx';
import { useLeftStep } from '../use-left-step.ts';
import { SigningInAs } from './SigningInAs.tsx';

/**
 * The second factor. With the extension `factors`, the service lists what the user can prove; otherwise it is a code by
 * text message or, if the service supports it, from an authenticator app.
 */
export function SecondFactorScreen(): ReactNode {
  const listed = useFlow((state) => state.secondFactor.listed);
  const suffix = useFlow((state) => state.secondFactor.phoneNumberSuffixMfa);
  const isApp = useFlow((state) => !listed && isAppAsked(state.context, suffix));
  const ways = useMemo(
    () => findWays(listed ?? [{ name: 'sms', hint: suffix }], supportsPasskeys()),
    [listed, suffix],
  );
  // The service offers a passkey after the second factor, on a page of its own, whose files load meanwhile.
  const isOffered = useFlow(({ context }) => context?.extensions?.includes('passkey-offer') ?? false);
  useEffect(() => {
    void supportOffer().then(
      async (isSupported) => isSupported && isOffered && (await loadLate())?.loadOffer(),
    );
  }, [isOffered]);
  useLeftStep();
  return isApp ? <AuthenticatorPart /> : <FactorScreen ways={ways} isListed={listed !== undefined} />;
}

/** The authenticator app, or its set-up. The code, texts and data are loaded when a user needs them. */
function AuthenticatorPart(): ReactNode {
  const { t, locale } = useLanguage();
  const send = useSend();
  const correlation = useCorrelation();
  const base = useFlow((state) => state.baseAddress);
  const back = useFlow(returnUrl);
  const [part, setPart] = useState<ReactNode>();
  const isMissing = part === undefined;
  useEffect(() => {
    if (!isMissing) return;
    let isShown = true;
    const fail = (failure: Failure): void => {
      if (isShown) send({ type: 'CALL_FAILED', failure });
    };
    requirePart('authenticator', () => import('./factors/load-authenticator-app.tsx'))
      .then((loader) => loader.loadAuthenticatorApp({ locale, correlation, base, returnUrl: back }))
      .then(
        (loaded) => ('failure' in loaded ? fail(loaded.failure) : isShown && setPart(loaded.part)),
        () => fail({ kind: 'unreachable' }),
      );
    return () => {
      isShown = false;
    };
  }, [isMissing, locale, correlation, base, back, send]);
  return (
    part ?? (
      <>
        <SiteHeading>{t('titles.second-factor-required')}</SiteHeading>
        <SigningInAs />
        <p>{t('common.loading')}</p>
      </>
    )
  );
}
