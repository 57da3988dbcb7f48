import type { ReactNode } from 'react';
import type { MessageKey } from '../i18n/keys.ts';
import { useLanguage } from '../i18n/language.ts';
import { RichText } from '../i18n/rich-text.tsx';
import { OpensInNewTab } from '../ui/link/ActionLink.tsx';
import { globalSupportAddress } from './addresses-of-config.ts';
import styles from './client-support.module.css';
import { useFlow } from './flow-context.tsx';

/** A text that refers to support, with a link if there is an address and the application allows links. */
export function ClientSupport({ message }: { message: MessageKey }): ReactNode {
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
        <RichText message={message} parts={{ link: supportLink(address) }} />
      )}
    </p>
  );
}

/** Renders part of a text as a link to support; without an address, as plain text. */
export function supportLink(address: string | undefined): (words: string) => ReactNode {
  return (words) =>
    address === undefined ? (
      words
    ) : (
      <a href={address} target="_blank" rel="noopener noreferrer" data-action="global-support">
        <span>{words}</span>
        <OpensInNewTab />
      </a>
    );
}
