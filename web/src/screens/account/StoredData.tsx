import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { saveFile } from '../save-file.ts';
import { useAccount } from './account-context.ts';
import styles from './account.module.css';
import { Section, SectionActions } from './Section.tsx';

/** What the service stores about the user, as a file. */
export function StoredData(): ReactNode {
  const { t } = useLanguage();
  const { api, changes } = useAccount();
  const download = async (): Promise<void> => {
    const made = await changes.make(() => api.fetch('getAccountData'), { done: 'account.data.done' });
    if (made) saveFile('account-data.json', 'application/json', JSON.stringify(made.answer, null, 2));
  };
  return (
    <Section heading={t('account.data.heading')}>
      <p className={styles.detail}>{t('account.data.description')}</p>
      <SectionActions>
        <ActionButton action="download-data" onPress={() => void download()}>
          {t('account.data.download')}
        </ActionButton>
      </SectionActions>
    </Section>
  );
}
