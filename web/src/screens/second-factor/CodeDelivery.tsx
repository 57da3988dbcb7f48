import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Description } from '../../ui/text/Description.tsx';
import { Tooltip } from '../../ui/tooltip/Tooltip.tsx';
import { useFlow } from '../flow-context.tsx';
import styles from './second-factor.module.css';

/** Where the code was sent, as far as may be shown, and how long it is valid. */
export function CodeDelivery(): ReactNode {
  const { t } = useLanguage();
  const suffix = useFlow((state) => state.secondFactor.phoneNumberSuffixMfa);
  const minutes = useFlow((state) => state.secondFactor.codeValidityMinutes);
  return (
    <Description>
      {suffix === undefined ? (
        <p>{t('mfa.sent')}</p>
      ) : (
        <div className={styles.delivery}>
          {/* digits of a phone number run from left to right in every language */}
          <RichText
            message="mfa.sentTo"
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
      {minutes !== undefined && <p>{t('mfa.validity', { count: minutes })}</p>}
    </Description>
  );
}
