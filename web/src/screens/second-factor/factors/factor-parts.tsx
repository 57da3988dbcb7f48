import type { ComponentType, ReactNode } from 'react';
import { useState } from 'react';
import type { FlowState } from '../../../flow/model.ts';
import type { OfferedWay, Way } from '../../../flow/second-factor-ways.ts';
import { resendRemainingSeconds } from '../../../flow/steps/second-factor.ts';
import { useLanguage } from '../../../i18n/language.ts';
import { RichText } from '../../../i18n/rich-text.tsx';
import { Disclosure } from '../../../ui/disclosure/Disclosure.tsx';
import { Icon } from '../../../ui/icon/Icon.tsx';
import type { FrameAction } from '../../../ui/link/action.ts';
import { useFlow } from '../../flow-context.tsx';
import { maximumWaitSeconds, unbroken } from '../CodeDelivery.tsx';
import { AppCode } from './AppCode.tsx';
import styles from './other-ways.module.css';
import { PasskeyFactor } from './PasskeyFactor.tsx';
import { RecoveryCodeForm } from './RecoveryCodeForm.tsx';

/** The parts of the second factor that few users need. */
export interface FactorParts {
  AppCode: typeof AppCode;
  PasskeyFactor: typeof PasskeyFactor;
  RecoveryCodeForm: typeof RecoveryCodeForm;
  OtherWays: ComponentType<OtherWaysProps>;
}

/** The parts, whose texts (`authenticator`) load at the same time. */
export const factorParts: FactorParts = { AppCode, PasskeyFactor, RecoveryCodeForm, OtherWays };

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

/** The other ways to prove a second factor, closed unless there is only one or the user waits long for a code. */
function OtherWays({ ways, onChoose }: OtherWaysProps): ReactNode {
  const { t } = useLanguage();
  const isOver = useFlow(isOverLimit);
  const [isOpen] = useState(ways.length === 1 || isOver);
  return (
    <div className={styles.others}>
      <Disclosure label={t('authenticator.otherWays')} action="other-ways" isOpen={isOpen}>
        <ul className={styles.ways}>
          {ways.map((offered) => (
            <li key={offered.way}>
              <button
                className={styles.way}
                type="button"
                data-action={actions[offered.way]}
                onClick={() => onChoose(offered)}
              >
                <Label {...offered} />
                <Icon name="chevron" />
              </button>
            </li>
          ))}
        </ul>
      </Disclosure>
    </div>
  );
}

function isOverLimit({ secondFactor: { messages } }: FlowState): boolean {
  const waits = Object.values(messages).map((message) => resendRemainingSeconds(message, performance.now()));
  return Math.max(...waits) > maximumWaitSeconds;
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
  return <span>{labels[way]}</span>;
}
