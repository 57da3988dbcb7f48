import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { returnUrl } from '../../flow/context.ts';
import type { Failure } from '../../flow/events.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Heading } from '../../ui/text/Heading.tsx';
import { useCorrelation, useFlow, useSend } from '../flow-context.tsx';
import { SigningInAs } from './SigningInAs.tsx';

/** The authenticator-app screen. Its code, texts and data are loaded when a user needs them. */
export function AuthenticatorPart(): ReactNode {
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
    import('./authenticator/load-authenticator.tsx')
      .then((loader) => loader.loadAuthenticator({ locale, correlation, base, returnUrl: back }))
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
        <Heading>{t('mfa.heading')}</Heading>
        <SigningInAs />
        <p>{t('common.loading')}</p>
      </>
    )
  );
}
