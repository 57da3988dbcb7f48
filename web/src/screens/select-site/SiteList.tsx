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
import textStyles from '../../ui/text/text.module.css';
import { useFlow, useSend } from '../flow-context.tsx';
import { trackEntriesInView, EntriesInViewContext } from './in-view.ts';
import type { EntriesInView } from './in-view.ts';
import { useListKeys } from './list-keys.ts';
import { firstSites, sitesOf } from './listed-sites.ts';
import type { LeadingSite, LeadingSites, ListedSite } from './listed-sites.ts';
import styles from './site-list.module.css';
import { SiteEntry } from './SiteEntry.tsx';
import { isPending } from './todos.ts';

/** In lists of at least this length, off-screen entries are not laid out. */
const longListCount = 40;

interface SiteListProps {
  leading: LeadingSites;
  listed: readonly ListedSite[];
  /** Moves the focus to the element above the list; returns whether there is one. */
  leaveUpwards: () => boolean;
  ref: Ref<ListHandle>;
}

export interface ListHandle {
  focusFirst: () => void;
}

/** Sites and groups in order; to-dos are requested first for those in view. */
export function SiteList({
  leading: { pinned, recent },
  listed,
  leaveUpwards,
  ref,
}: SiteListProps): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const hasTodos = useFlow(showsTodos);
  const hasLeading = pinned.length + recent.length > 0;
  // Below the heading of all boards, or directly below that of the page.
  const level = hasLeading ? 4 : 3;
  const place = useRef<HTMLDivElement>(null);
  const sites = useMemo(
    () => [...[...pinned, ...recent].map(({ site }) => site), ...listed.flatMap(sitesOf)],
    [pinned, recent, listed],
  );
  const autofocus = sites.findIndex((site) => site.autofocus);
  const { drawn, growTo } = useGrowingCount(listed, sites.length, autofocus + 1);
  const [inView, setInView] = useState<readonly string[]>();
  const entriesInView = useMemo(
    () =>
      hasTodos
        ? trackEntriesInView((names) => {
            setInView(names);
            send({ type: 'TODOS_WANTED', sites: names });
          })
        : undefined,
    [hasTodos, send],
  );
  const isAwaited = useAwaited(entriesInView, inView);
  const focusEntry = useListKeys({ place, sites, growTo, leaveUpwards });
  useImperativeHandle(ref, () => ({ focusFirst: () => focusEntry(0) }), [focusEntry]);
  useAutofocus(autofocus, focusEntry);
  return (
    <EntriesInViewContext value={entriesInView}>
      <div
        className={sites.length > longListCount ? `${styles.place} ${styles.long}` : styles.place}
        data-awaited={isAwaited ? '' : undefined}
        ref={place}
      >
        <Leading kind="pinned" sites={pinned.slice(0, drawn)} />
        <Leading kind="recent" sites={recent} />
        {hasLeading && <h3 className={styles.heading}>{t('selectSite.all')}</h3>}
        <ul className={styles.list} aria-label={t('selectSite.list')} hidden={listed.length === 0}>
          {firstSites(listed, drawn - pinned.length - recent.length).map((entry) =>
            entry.kind === 'group' ? (
              <SiteGroup group={entry} headingLevel={level} key={entry.name} />
            ) : (
              <SiteEntry site={entry.site} headingLevel={level} key={entry.site.name} />
            ),
          )}
        </ul>
      </div>
    </EntriesInViewContext>
  );
}

/** The longest time for which the list waits for to-dos: about twice a round trip on a slow mobile network. */
const longestWaitMs = 900;

/**
 * Whether the list shows only the shapes of its rows, because it waits for the to-dos in view. It then appears once, with
 * the heights that remain. To-dos that take longer reserve their line.
 */
function useAwaited(entries: EntriesInView | undefined, inView: readonly string[] | undefined): boolean {
  const [isOver, setOver] = useState(entries === undefined);
  const isUnknown = useFlow(({ todos }) => !inView || inView.some((site) => isPending(todos[site])));
  const isAwaited = !isOver && isUnknown;
  if (!isOver && !isAwaited) setOver(true);
  useEffect(() => {
    if (!isAwaited) return entries?.show();
    const timer = setTimeout(() => setOver(true), longestWaitMs);
    return () => clearTimeout(timer);
  }, [isAwaited, entries]);
  return isAwaited;
}

/** Focuses the entry with `autofocus` once, when the list has loaded. */
function useAutofocus(index: number, focusEntry: (index: number) => void): void {
  const isDone = useRef(false);
  useLayoutEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    if (index >= 0) focusEntry(index);
  }, [index, focusEntry]);
}

type Group = Extract<ListedSite, { kind: 'group' }>;

interface SiteGroupProps {
  group: Group;
  headingLevel: 3 | 4;
}

/** A family of sites: the parent site before its children, or the children under the name of their parent. */
const SiteGroup = memo(function SiteGroup({ group, headingLevel }: SiteGroupProps): ReactNode {
  const id = useId();
  const place = useRef<HTMLLIElement>(null);
  useSiteCount(place, group.sites.length);
  const hasParent = group.sites[0]?.name === group.name;
  const Heading = `h${headingLevel}` as const;
  return (
    <li className={styles.family} data-group={group.name} ref={place}>
      <Heading className={hasParent ? textStyles.hidden : styles.groupName} id={id}>
        <bdi translate="no">{group.displayName}</bdi>
      </Heading>
      <ul className={hasParent ? `${styles.group} ${styles.withParent}` : styles.group} aria-labelledby={id}>
        {group.sites.map((site) => (
          <SiteEntry site={site} headingLevel={headingLevel === 3 ? 4 : 5} key={site.name} />
        ))}
      </ul>
    </li>
  );
});

/** Sets the number of sites as a CSS property, so that a group that is not laid out reserves the right height. */
function useSiteCount(place: RefObject<HTMLElement | null>, count: number): void {
  useLayoutEffect(() => {
    place.current?.style.setProperty('--sites', String(count));
  }, [place, count]);
}

interface LeadingProps {
  kind: keyof LeadingSites;
  sites: readonly LeadingSite[];
}

/** The pinned or recent sites, in addition to their entries in the list below. */
function Leading({ kind, sites }: LeadingProps): ReactNode {
  const { t } = useLanguage();
  const id = useId();
  if (sites.length === 0) return null;
  return (
    <section className={styles.list} {...{ [`data-${kind}`]: '' }}>
      <h3 className={styles.heading} id={id}>
        {t(`selectSite.${kind}.heading`)}
      </h3>
      <ul className={styles.list} aria-labelledby={id}>
        {sites.map(({ site, groupName }) => (
          <SiteEntry site={site} groupName={groupName} headingLevel={4} key={site.name} />
        ))}
      </ul>
    </section>
  );
}

/** The number of entries in the first render: more than fit on any screen. */
const firstCount = 40;
/** The number of entries added per step, small enough for no noticeable delay on a slow phone. */
const stepCount = 40;

interface GrowingCount {
  drawn: number;
  /** Renders at least this many entries, for an entry further down that gets the focus. */
  growTo: (count: number) => void;
}

/**
 * The number of rendered entries of a long list: first a screenful, then the rest in small steps, so that a list of
 * thousands is usable as quickly as a short one. Starts again for another list.
 * @param atLeast the minimum for the first render, for example to include an entry that gets the focus
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
  const growTo = useCallback((count: number) => setGrown({ list, count }), [list]);
  return { drawn, growTo };
}
