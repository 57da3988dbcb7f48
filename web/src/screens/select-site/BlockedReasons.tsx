import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { InlineIcon } from '../../ui/icon/InlineIcon.tsx';
import { globalSupportAddress } from '../addresses-of-config.ts';
import { useFlow } from '../flow-context.tsx';
import { supportLink } from '../support-link.tsx';
import styles from './site-entry.module.css';

interface BlockedReasonsProps {
  id: string;
  lacksEntitlement: boolean;
  lacksSecondFactor: boolean;
}

/** Why a site cannot be entered, and what to do about it. */
export function BlockedReasons({ id, lacksEntitlement, lacksSecondFactor }: BlockedReasonsProps): ReactNode {
  const { t } = useLanguage();
  const support = useFlow(globalSupportAddress);
  return (
    <div className={styles.reasons} id={id}>
      {lacksEntitlement && (
        <p className={styles.reason}>
          <InlineIcon name="alert" />
          <span>{t('selectSite.errors.entitlements')}</span>
        </p>
      )}
      {lacksSecondFactor && (
        <p className={styles.reason}>
          <InlineIcon name="alert" />
          <span>
            <RichText message="selectSite.errors.mfa" parts={{ link: supportLink(support) }} />
          </span>
        </p>
      )}
    </div>
  );
}
