import { useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react';
import type { ReactNode, Ref } from 'react';
import { showsTodos } from '../../flow/steps/select-site.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useFlow, useSend } from '../flow-context.tsx';
import type { RecentSite } from './recent-sites.ts';
import { RecentSites } from './RecentSites.tsx';
import styles from './select-site.module.css';
import { createSightings, SightingsContext } from './sightings.ts';
import { SiteEntry } from './SiteEntry.tsx';
import { SiteGroup } from './SiteGroup.tsx';
import { firstSites, sitesOf } from './site-search.ts';
import type { ListedSite } from './site-order.ts';
import { useGrowingCount } from './use-growing-count.ts';
import { useListKeys } from './use-list-keys.ts';

/** From here on entries far from the screen are not laid out. */
const longListCount = 40;

interface SiteListProps {
  recent: readonly RecentSite[];
  listed: readonly ListedSite[];
  /** Takes the focus upwards out of the list; says whether there is anything above. */
  leaveUpwards: () => boolean;
  ref: Ref<ListHandle>;
}

export interface ListHandle {
  focusFirst: () => void;
}

/** Single sites and groups, in their order; the to-dos of those in view are asked for first. */
export function SiteList({ recent, listed, leaveUpwards, ref }: SiteListProps): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const hasTodos = useFlow(showsTodos);
  const place = useRef<HTMLDivElement>(null);
  const sites = useMemo(
    () => [...recent.map(({ site }) => site), ...listed.flatMap(sitesOf)],
    [recent, listed],
  );
  const autofocus = sites.findIndex((site) => site.autofocus);
  const { drawn, growTo } = useGrowingCount(listed, sites.length, autofocus + 1);
  const sightings = useMemo(
    () => (hasTodos ? createSightings((inView) => send({ type: 'TODOS_WANTED', sites: inView })) : undefined),
    [hasTodos, send],
  );
  const focusEntry = useListKeys({ place, sites, growTo, leaveUpwards });
  useImperativeHandle(ref, () => ({ focusFirst: () => focusEntry(0) }), [focusEntry]);
  useAutofocus(autofocus, focusEntry);
  const classNames = [
    styles.place,
    ...(hasTodos ? [styles.withTodos] : []),
    ...(sites.length > longListCount ? [styles.long] : []),
  ];
  return (
    <SightingsContext value={sightings}>
      <div className={classNames.join(' ')} ref={place}>
        {recent.length > 0 && <RecentSites recent={recent} />}
        <ul className={styles.list} aria-label={t('selectSite.list')} hidden={listed.length === 0}>
          {firstSites(listed, drawn - recent.length).map((entry) =>
            entry.kind === 'group' ? (
              <SiteGroup group={entry} key={entry.name} />
            ) : (
              <SiteEntry site={entry.site} headingLevel="h3" key={entry.site.name} />
            ),
          )}
        </ul>
      </div>
    </SightingsContext>
  );
}

/** Takes the focus to the entry that asks for it, once, when the list arrives. */
function useAutofocus(index: number, focusEntry: (index: number) => void): void {
  const isDone = useRef(false);
  useLayoutEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    if (index >= 0) focusEntry(index);
  }, [index, focusEntry]);
}
