import { useId } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import type { RecentSite } from './recent-sites.ts';
import styles from './select-site.module.css';
import { SiteEntry } from './SiteEntry.tsx';

/** What was chosen last, within reach. Each of them keeps its place in the list below: nobody has to look for it twice. */
export function RecentSites({ recent }: { recent: readonly RecentSite[] }): ReactNode {
  const { t } = useLanguage();
  const id = useId();
  return (
    <section className={styles.recent} data-recent="">
      <h3 className={styles.groupName} id={id}>
        {t('selectSite.recent.heading')}
      </h3>
      <ul className={styles.group} aria-labelledby={id}>
        {recent.map(({ site, groupName }) => (
          <SiteEntry site={site} groupName={groupName} headingLevel="h4" key={site.name} />
        ))}
      </ul>
    </section>
  );
}
