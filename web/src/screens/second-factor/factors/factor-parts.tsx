import { useId } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { OfferedWay, Way } from '../../../flow/second-factor-ways.ts';
import { loadTexts } from '../../../i18n/current-language.ts';
import { useLanguage } from '../../../i18n/language.ts';
import { RichText } from '../../../i18n/rich-text.tsx';
import { ActionButton } from '../../../ui/link/ActionButton.tsx';
import type { FrameAction } from '../../../ui/link/action.ts';
import styles from '../../app-enrolment.module.css';
import { unbroken } from '../CodeDelivery.tsx';
import { AppCode } from './AppCode.tsx';
import { PasskeyFactor } from './PasskeyFactor.tsx';
import { RecoveryCodeForm } from './RecoveryCodeForm.tsx';

/** The parts of the second factor that few users need. */
export interface FactorParts {
  AppCode: typeof AppCode;
  PasskeyFactor: typeof PasskeyFactor;
  RecoveryCodeForm: typeof RecoveryCodeForm;
  OtherWays: ComponentType<OtherWaysProps>;
}

/**
 * Loads the texts of the parts.
 * @throws if the texts cannot be loaded
 */
export async function loadFactorParts(): Promise<FactorParts> {
  await loadTexts('authenticator');
  return { AppCode, PasskeyFactor, RecoveryCodeForm, OtherWays };
}

const actions = {
  totp: 'use-app',
  sms: 'use-text-message',
  passkey: 'use-passkey',
  email: 'use-email',
  'recovery-code': 'use-recovery-code',
} as const satisfies Record<Way, FrameAction>;

interface OtherWaysProps {
  ways: readonly OfferedWay[];
  onChoose: (way: OfferedWay) => void;
}

/** The other ways to prove a second factor. */
function OtherWays({ ways, onChoose }: OtherWaysProps): ReactNode {
  const { t } = useLanguage();
  const headingId = useId();
  return (
    <>
      <p className={styles.waysHeading} id={headingId}>
        {t('authenticator.otherWays')}
      </p>
      <ul className={styles.ways} aria-labelledby={headingId}>
        {ways.map((offered) => (
          <li key={offered.way}>
            <ActionButton action={actions[offered.way]} onPress={() => onChoose(offered)}>
              <Label {...offered} />
            </ActionButton>
          </li>
        ))}
      </ul>
    </>
  );
}

function Label({ way, hint = '•••' }: OfferedWay): ReactNode {
  const { t } = useLanguage();
  // Masked numbers and addresses run from left to right in every language.
  const part = (
    <bdi translate="no" dir="ltr">
      {unbroken(hint)}
    </bdi>
  );
  const labels: Record<Way, ReactNode> = {
    totp: t('authenticator.useApp'),
    sms: <RichText message="authenticator.useTextMessage" parts={{ suffix: part }} />,
    passkey: t('authenticator.usePasskey'),
    email: <RichText message="authenticator.useEmail" parts={{ address: part }} />,
    'recovery-code': t('authenticator.useRecoveryCode'),
  };
  return <span className={styles.way}>{labels[way]}</span>;
}
