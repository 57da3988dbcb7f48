import { memo, useId, useLayoutEffect, useRef } from 'react';
import type { ReactNode, RefObject } from 'react';
import styles from './select-site.module.css';
import { SiteEntry } from './SiteEntry.tsx';
import type { ListedSite } from './site-order.ts';

type Group = Extract<ListedSite, { kind: 'group' }>;

/** A family of sites under the name of their parent. */
export const SiteGroup = memo(function SiteGroup({ group }: { group: Group }): ReactNode {
  const id = useId();
  const place = useRef<HTMLLIElement>(null);
  useToldCount(place, group.sites.length);
  return (
    <li className={styles.family} data-group={group.name} ref={place}>
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

/** Tells the styles how many sites there are, so that a family that is not laid out yet takes the room that it will need. */
function useToldCount(place: RefObject<HTMLElement | null>, count: number): void {
  useLayoutEffect(() => {
    place.current?.style.setProperty('--sites', String(count));
  }, [place, count]);
}
