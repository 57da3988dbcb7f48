import type { OfferedApp } from '@anteroom/contract/authenticator-app';
import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { encode } from 'uqr';
import { useLanguage } from '../i18n/language.ts';
import { Button, ButtonLink, SubmitButton } from '../ui/button/Button.tsx';
import { Disclosure } from '../ui/disclosure/Disclosure.tsx';
import { Form } from '../ui/form/Form.tsx';
import { ActionButton } from '../ui/link/ActionButton.tsx';
import { ActionLink } from '../ui/link/ActionLink.tsx';
import { Description } from '../ui/text/Heading.tsx';
import styles from './app-enrolment.module.css';
import { ButtonRow } from './ButtonRow.tsx';
import { CopyButton } from './CopyButton.tsx';
import { inFours, RecoveryCodeList } from './RecoveryCodeList.tsx';
import { focusStep } from './StepEntrance.tsx';

interface AppEnrolmentProps extends OfferedApp {
  why: string;
  onCancel?: () => void;
  /** The last step: the form for the first code. */
  children: ReactNode;
}

/** The set-up of an authenticator app in three steps: the key, the recovery codes, and the first code. */
export function AppEnrolment(props: AppEnrolmentProps): ReactNode {
  const { secret, uri, recoveryCodes, why, onCancel, children } = props;
  const { t } = useLanguage();
  const [step, setStep] = useState(1);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => focusStep(place.current), [step]);
  return (
    <div ref={place}>
      {step > 1 && (
        <ActionButton action="back" isBack onPress={() => setStep(step - 1)}>
          {t('common.back')}
        </ActionButton>
      )}
      {step === 1 && (
        <>
          <Description>
            <p>{why}</p>
          </Description>
          <AppKey secret={secret} uri={uri} />
        </>
      )}
      {step === 2 && (
        <>
          <p className={styles.step} tabIndex={-1}>
            {t('authenticator.recoveryCodes')}
          </p>
          <RecoveryCodeList recoveryCodes={recoveryCodes} />
        </>
      )}
      {step === 3 ? (
        children
      ) : (
        // Another button for each step, so that the second click of a double-click does not skip one.
        <Form key={step} onSubmit={() => setStep(step + 1)}>
          <ButtonRow>
            <SubmitButton isPending={false}>{t('common.continue')}</SubmitButton>
            {onCancel && (
              <Button action="cancel" variant="secondary" onPress={onCancel}>
                {t('common.cancel')}
              </Button>
            )}
          </ButtonRow>
        </Form>
      )}
    </div>
  );
}

/** The key for the app, as a QR code and as text. A phone is mostly the device with the app. */
function AppKey({ secret, uri }: Pick<OfferedApp, 'secret' | 'uri'>): ReactNode {
  const { t } = useLanguage();
  const [isPhone] = useState(() => matchMedia('(pointer: coarse) and (width < 600px)').matches);
  const canOpen = uri.startsWith('otpauth://totp/');
  const qrCode = <QrCode text={uri} label={t('authenticator.qrCode')} />;
  const text = (
    <div className={styles.text}>
      <p>{t('authenticator.key')}</p>
      <div className={styles.keyLine}>
        <code translate="no" className={styles.key} dir="ltr">
          {inFours(secret)}
        </code>
        <CopyButton text={secret} />
      </div>
      {!isPhone && canOpen && (
        <ActionLink action="open-app" href={uri}>
          {t('authenticator.openApp')}
        </ActionLink>
      )}
    </div>
  );
  return (
    <>
      <p className={styles.step} tabIndex={-1}>
        {t(isPhone ? 'authenticator.add' : 'authenticator.scan')}
      </p>
      {isPhone ? (
        <>
          {canOpen && (
            <ButtonLink action="open-app" href={uri} variant="secondary">
              {t('authenticator.openApp')}
            </ButtonLink>
          )}
          {text}
          <Disclosure label={t('authenticator.showQrCode')}>{qrCode}</Disclosure>
        </>
      ) : (
        <div className={styles.ways}>
          {qrCode}
          {text}
        </div>
      )}
    </>
  );
}

/**
 * Draws the QR code dark on light in every colour scheme, as scanners expect, with a margin of four modules (ISO/IEC
 * 18004).
 */
function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const { data, size } = encode(text, { border: 4 });
  const modules = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an img element needs an image with an address
    <svg className={styles.qrCode} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path className={styles.modules} d={modules.join('')} shapeRendering="crispEdges" />
    </svg>
  );
}
