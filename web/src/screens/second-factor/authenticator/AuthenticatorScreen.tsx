import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.ts';
import { ActionButton } from '../../../ui/link/ActionButton.tsx';
import { Description } from '../../../ui/text/Description.tsx';
import { Heading } from '../../../ui/text/Heading.tsx';
import { ClientSupport } from '../../ClientSupport.tsx';
import { useSend } from '../../flow-context.tsx';
import { CodeForm } from '../CodeForm.tsx';
import { SigningInAs } from '../SigningInAs.tsx';
import { Enrolment } from './Enrolment.tsx';
import type { OfferedApp } from './Enrolment.tsx';
import styles from './enrolment.module.css';
import { RecoveryCodeForm } from './RecoveryCodeForm.tsx';

/** The code of an authenticator app or, without it, a recovery code; with `enrolment` the app is set up first. */
export function AuthenticatorScreen({ enrolment }: { enrolment: OfferedApp | undefined }): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const wordsId = useId();
  // the words before were those of a page that was still loading, or of the other way
  useLayoutEffect(() => {
    place.current?.querySelector<HTMLElement>(enrolment ? 'h2' : 'input')?.focus();
  }, [enrolment, usesRecoveryCode]);

  return (
    <div ref={place}>
      <Heading>{t(enrolment ? 'authenticator.heading' : 'mfa.heading')}</Heading>
      <SigningInAs />
      {enrolment && <Enrolment {...enrolment} />}
      {usesRecoveryCode ? (
        <RecoveryCodeForm />
      ) : (
        <>
          {enrolment ? (
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
      )}
      {!enrolment && (
        <>
          <ActionButton
            action={usesRecoveryCode ? 'use-app' : 'use-recovery-code'}
            onPress={() => {
              send({ type: 'CODE_ERROR_CLEARED' });
              setUsesRecoveryCode(!usesRecoveryCode);
            }}
          >
            {t(usesRecoveryCode ? 'authenticator.useApp' : 'authenticator.useRecoveryCode')}
          </ActionButton>
          <ClientSupport message="authenticator.noApp" />
        </>
      )}
    </div>
  );
}
