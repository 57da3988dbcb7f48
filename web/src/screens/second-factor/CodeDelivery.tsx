import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Description } from '../../ui/text/Description.tsx';
import { Tooltip } from '../../ui/tooltip/Tooltip.tsx';
import { useFlow } from '../flow-context.tsx';
import styles from './second-factor.module.css';
import type { FirstCode } from './use-first-code.ts';

/** Whether a code was sent, to which number (its last digits), and how long it is valid. */
export function CodeDelivery({
  id,
  firstCode,
  ...known
}: {
  id: string;
  firstCode: FirstCode;
  /** The last digits of the number, if the flow does not know them. */
  suffix?: string;
}): ReactNode {
  const { t } = useLanguage();
  const suffixOfFlow = useFlow((state) => state.secondFactor.phoneNumberSuffixMfa);
  const suffix = known.suffix ?? suffixOfFlow;
  const minutes = useFlow((state) => state.secondFactor.codeValidityMinutes);
  return (
    <Description id={id}>
      {firstCode === 'missing' || suffix === undefined ? (
        <p>{t(firstCode === 'sent' ? 'mfa.sent' : 'mfa.notSent')}</p>
      ) : (
        <div className={styles.delivery}>
          {/* Digits of a phone number run from left to right in every language. */}
          <RichText
            message={firstCode === 'sent' ? 'mfa.sentTo' : 'mfa.otherSignIn'}
            parts={{
              suffix: (
                <bdi className={styles.suffix} dir="ltr">
                  {suffix}
                </bdi>
              ),
            }}
          />
          <Tooltip action="phone-number-info" label={t('mfa.phoneNumberInfo')}>
            {t('mfa.phoneNumberInfoText')}
          </Tooltip>
        </div>
      )}
      {firstCode === 'sent' && minutes !== undefined && <p>{t('mfa.validity', { count: minutes })}</p>}
    </Description>
  );
}
