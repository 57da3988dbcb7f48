import { memo, useId } from 'react';
import type { ReactNode } from 'react';
import styles from './select-site.module.css';
import { SiteEntry } from './SiteEntry.tsx';
import type { ListedSite } from './site-order.ts';

type Group = Extract<ListedSite, { kind: 'group' }>;

/** A family of sites under the name of their parent. */
export const SiteGroup = memo(function SiteGroup({ group }: { group: Group }): ReactNode {
  const id = useId();
  return (
    <li data-group={group.name}>
      <h3 className={styles.groupName} id={id}>
        <bdi>{group.displayName}</bdi>
      </h3>
      <ul className={styles.group} aria-labelledby={id}>
        {group.sites.map((site) => (
          <SiteEntry site={site} headingLevel="h4" key={site.name} />
        ))}
      </ul>
    </li>
  );
});
