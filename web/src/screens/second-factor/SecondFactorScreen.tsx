import { useId } from 'react';
import type { ReactNode } from 'react';
import type { FlowState } from '../../flow/model.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Heading } from '../../ui/text/Heading.tsx';
import { ClientSupport } from '../ClientSupport.tsx';
import { useFlow } from '../flow-context.tsx';
import { AuthenticatorPart } from './AuthenticatorPart.tsx';
import { CodeDelivery } from './CodeDelivery.tsx';
import { CodeForm } from './CodeForm.tsx';
import { ResendCode } from './ResendCode.tsx';
import { SigningInAs } from './SigningInAs.tsx';
import { useFirstCode } from './use-first-code.ts';

/** The second factor: a code by text message or, if the service supports it, from an authenticator app. */
export function SecondFactorScreen(): ReactNode {
  return useFlow(isAppAsked) ? <AuthenticatorPart /> : <MessageCode />;
}

/** No message was sent, and the service supports authenticator apps. */
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
