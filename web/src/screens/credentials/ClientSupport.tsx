import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { globalSupportAddress } from '../addresses-of-config.ts';
import { useFlow } from '../flow-context.tsx';
import { supportLink } from '../support-link.tsx';
import styles from './credentials.module.css';

/** Who helps when signing in does not work; a link where there is one and the application that asked allows links. */
export function ClientSupport(): ReactNode {
  const { t } = useLanguage();
  const address = useFlow((state) =>
    state.context?.loginFlowCustomizations?.languageSelectionAndLinksDisabled
      ? undefined
      : globalSupportAddress(state),
  );
  return (
    <p className={styles.support}>
      {address === undefined ? (
        t('login.clientSupportWithoutLink')
      ) : (
        <RichText message="login.clientSupport" parts={{ link: supportLink(address) }} />
      )}
    </p>
  );
}
