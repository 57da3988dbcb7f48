import { useId, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { returnUrl } from '../../flow/context.ts';
import type { Failure } from '../../flow/events.ts';
import type { FlowState } from '../../flow/model.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Heading } from '../../ui/text/Heading.tsx';
import { ClientSupport } from '../ClientSupport.tsx';
import { useFlow, useCorrelation, useSend } from '../flow-context.tsx';
import { CodeDelivery, useFirstCode, ResendCode } from './CodeDelivery.tsx';
import { CodeForm } from './CodeForm.tsx';
import { SigningInAs } from './SigningInAs.tsx';

/** The second factor: a code by text message or, if the service supports it, from an authenticator app. */
export function SecondFactorScreen(): ReactNode {
  return useFlow(isAppAsked) ? <AuthenticatorPart /> : <MessageCode />;
}

/** Whether the app's code is requested: no text message was sent, and the service supports authenticator apps. */
function isAppAsked({ secondFactor, context }: FlowState): boolean {
  return secondFactor.phoneNumberSuffixMfa === undefined && context?.extensions?.includes('totp') === true;
}

/** The code by text message. */
function MessageCode(): ReactNode {
  const { t } = useLanguage();
  const firstCode = useFirstCode();
  const deliveryId = useId();
  return (
    <>
      <Heading>{t('mfa.heading')}</Heading>
      <SigningInAs />
      <CodeDelivery id={deliveryId} firstCode={firstCode} />
      <CodeForm
        required={t('mfa.errors.codeRequired')}
        wrong={`${t('mfa.errors.invalidCodeHeading')} ${t('mfa.errors.checkCode')}`}
        describedBy={deliveryId}
      >
        <ResendCode firstCode={firstCode} />
      </CodeForm>
      <ClientSupport message="mfa.noPhone" />
    </>
  );
}

/** The authenticator-app screen. Its code, texts and data are loaded when a user needs them. */
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
