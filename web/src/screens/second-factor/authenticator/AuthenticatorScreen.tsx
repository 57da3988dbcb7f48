import type { OfferedApp } from '@anteroom/contract/authenticator-app';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.ts';
import { RichText } from '../../../i18n/rich-text.tsx';
import { ActionButton } from '../../../ui/link/ActionButton.tsx';
import type { FrameAction } from '../../../ui/link/action.ts';
import { Description, Heading } from '../../../ui/text/Heading.tsx';
import { AppEnrolment } from '../../AppEnrolment.tsx';
import { ClientSupport } from '../../ClientSupport.tsx';
import styles from '../../app-enrolment.module.css';
import { useFlow, useSend } from '../../flow-context.tsx';
import { CodeDelivery, ResendCode } from '../CodeDelivery.tsx';
import { CodeForm } from '../CodeForm.tsx';
import { SigningInAs } from '../SigningInAs.tsx';
import { RecoveryCodeForm } from './RecoveryCodeForm.tsx';

/** The source of the code. */
type Way = 'app' | 'text-message' | 'recovery-code';

const actions = {
  app: 'use-app',
  'text-message': 'use-text-message',
  'recovery-code': 'use-recovery-code',
} as const satisfies Record<Way, FrameAction>;

interface AuthenticatorScreenProps {
  enrolment: OfferedApp | undefined;
  /** The last digits of a phone number for a code by text message instead. */
  phoneNumberSuffix: string | undefined;
}

/**
 * Requests a code from an authenticator app, a code by text message, or a recovery code. With `enrolment`, the user
 * first sets up the app.
 */
export function AuthenticatorScreen({ enrolment, phoneNumberSuffix }: AuthenticatorScreenProps): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const [way, setWay] = useState<Way>('app');
  const place = useRef<HTMLDivElement>(null);
  const waysId = useId();
  // Focuses the new content after loading or after a change of the source.
  useLayoutEffect(() => {
    place.current?.querySelector<HTMLElement>(enrolment ? 'h2' : 'input')?.focus();
  }, [enrolment, way]);

  const choose = (chosen: Way): void => {
    send({ type: 'CODE_ERROR_CLEARED' });
    if (chosen === 'text-message') send({ type: 'RESEND_CODE' });
    setWay(chosen);
  };
  const labels: Record<Way, ReactNode> = {
    app: t('authenticator.useApp'),
    'text-message': (
      <span>
        <RichText
          message="authenticator.useTextMessage"
          parts={{ suffix: <bdi dir="ltr">{phoneNumberSuffix}</bdi> }}
        />
      </span>
    ),
    'recovery-code': t('authenticator.useRecoveryCode'),
  };
  const others = (['app', 'text-message', 'recovery-code'] as const).filter(
    (other) => other !== way && (other !== 'text-message' || phoneNumberSuffix !== undefined),
  );

  return (
    <div ref={place} className={way === 'app' ? styles.app : undefined}>
      <Heading>{t(enrolment ? 'authenticator.heading' : 'mfa.heading')}</Heading>
      <SigningInAs />
      {enrolment && <AppEnrolment {...enrolment} why={t('authenticator.why')} />}
      {way === 'recovery-code' && <RecoveryCodeForm />}
      {way === 'text-message' && <MessageCode suffix={phoneNumberSuffix ?? ''} />}
      {way === 'app' && <AppCode isEnrolment={enrolment !== undefined} />}
      {!enrolment && (
        <>
          <p className={styles.waysHeading} id={waysId}>
            {t('authenticator.otherWays')}
          </p>
          <ul className={styles.ways} aria-labelledby={waysId}>
            {others.map((other) => (
              <li key={other}>
                <ActionButton action={actions[other]} onPress={() => choose(other)}>
                  {labels[other]}
                </ActionButton>
              </li>
            ))}
          </ul>
          <ClientSupport message="authenticator.noApp" />
        </>
      )}
    </div>
  );
}

/** The code from the app. */
function AppCode({ isEnrolment }: { isEnrolment: boolean }): ReactNode {
  const { t } = useLanguage();
  const wordsId = useId();
  return (
    <>
      {isEnrolment ? (
        <p className={styles.step} id={wordsId}>
          {t('authenticator.enter')}
        </p>
      ) : (
        <Description id={wordsId}>{t('authenticator.description')}</Description>
      )}
      <CodeForm
        required={t('authenticator.errors.codeRequired')}
        wrong={t('authenticator.errors.invalidCode')}
        describedBy={wordsId}
      />
    </>
  );
}

/** A code by text message instead of one from the app. */
function MessageCode({ suffix }: { suffix: string }): ReactNode {
  const { t } = useLanguage();
  const deliveryId = useId();
  const isSent = useFlow(({ secondFactor }) => secondFactor.codesResent > 0);
  const firstCode = isSent ? 'sent' : 'missing';
  return (
    <>
      {isSent && <CodeDelivery id={deliveryId} firstCode={firstCode} suffix={suffix} />}
      <CodeForm
        required={t('mfa.errors.codeRequired')}
        wrong={`${t('mfa.errors.invalidCodeHeading')} ${t('mfa.errors.checkCode')}`}
        describedBy={deliveryId}
        factor="sms"
      >
        <ResendCode firstCode={firstCode} />
      </CodeForm>
    </>
  );
}
