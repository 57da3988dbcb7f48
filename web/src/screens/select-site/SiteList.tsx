import {
  memo,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ReactNode, Ref, RefObject } from 'react';
import { showsTodos } from '../../flow/steps/select-site.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useFlow, useSend } from '../flow-context.tsx';
import { createSightings, SightingsContext } from './in-view.ts';
import { useListKeys } from './list-keys.ts';
import { firstSites, sitesOf } from './listed-sites.ts';
import type { ListedSite, RecentSite } from './listed-sites.ts';
import styles from './site-list.module.css';
import { SiteEntry } from './SiteEntry.tsx';

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
  return (
    <SightingsContext value={sightings}>
      <div
        className={sites.length > longListCount ? `${styles.place} ${styles.long}` : styles.place}
        ref={place}
      >
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

type Group = Extract<ListedSite, { kind: 'group' }>;

/** A family of sites under the name of their parent. */
const SiteGroup = memo(function SiteGroup({ group }: { group: Group }): ReactNode {
  const id = useId();
  const place = useRef<HTMLLIElement>(null);
  useSiteCount(place, group.sites.length);
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

/** Gives the styles the number of sites, so that a family that is not laid out yet takes the room that it will need. */
function useSiteCount(place: RefObject<HTMLElement | null>, count: number): void {
  useLayoutEffect(() => {
    place.current?.style.setProperty('--sites', String(count));
  }, [place, count]);
}

/** The sites chosen last. Each of them keeps its place in the list below as well. */
function RecentSites({ recent }: { recent: readonly RecentSite[] }): ReactNode {
  const { t } = useLanguage();
  const id = useId();
  return (
    <section className={styles.family} data-recent="">
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

/** More than fit any screen, so that what is seen first is whole. */
const firstCount = 40;
/** Drawn in one go afterwards: on a slow phone, still less than a frame that would be missed. */
const stepCount = 40;

interface GrowingCount {
  drawn: number;
  /** Draws at least so many, for an entry further down that takes the focus. */
  growTo: (count: number) => void;
}

/**
 * How much of a long list is drawn: what the screen shows at once, the rest in small steps, so that a list of thousands is usable as
 * soon as a short one. Another list begins anew.
 * @param atLeast what the first list must have from the start, such as an entry that takes the focus
 */
function useGrowingCount(list: readonly unknown[], total: number, atLeast: number): GrowingCount {
  const [grown, setGrown] = useState({ list, count: Math.max(firstCount, atLeast) });
  const count = grown.list === list ? grown.count : firstCount;
  const drawn = Math.min(total, count);
  useEffect(() => {
    if (drawn >= total) return;
    const timer = setTimeout(() => setGrown({ list, count: drawn + stepCount }), 0);
    return () => clearTimeout(timer);
  }, [list, drawn, total]);
  const growTo = useCallback((wanted: number) => setGrown({ list, count: wanted }), [list]);
  return { drawn, growTo };
}
