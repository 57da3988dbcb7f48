import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import styles from './site-search.module.css';

interface NothingFoundProps {
  query: string;
  onShowAll: () => void;
}

/** No site has what was searched for; the way back stands beside it. */
export function NothingFound({ query, onShowAll }: NothingFoundProps): ReactNode {
  const { t } = useLanguage();
  return (
    <div className={styles.nothing}>
      <p>
        <RichText message="selectSite.search.none" parts={{ query: <bdi>{query}</bdi> }} />
      </p>
      <button className={styles.showAll} type="button" onClick={onShowAll}>
        {t('selectSite.search.showAll')}
      </button>
    </div>
  );
}
