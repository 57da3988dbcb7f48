import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { useFlow, useSend } from '../flow-context.tsx';
import styles from './recent-first.module.css';

/** Whether sites that were chosen lately come first: the person's own choice, kept by the service. Nothing where it has no such choice. */
export function RecentFirst(): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const isChosen = useFlow(({ siteList }) => siteList?.recentSitesFirst);
  if (isChosen === undefined) return null;
  return (
    <button
      className={styles.choice}
      type="button"
      role="switch"
      aria-checked={isChosen}
      onClick={() => send({ type: 'RECENT_SITES_FIRST_CHOSEN', recentSitesFirst: !isChosen })}
    >
      <span className={styles.track} aria-hidden="true" />
      {t('selectSite.recent.first')}
    </button>
  );
}
