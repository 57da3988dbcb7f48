import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { showsTodos } from '../../flow/steps/select-site.ts';
import { useFlow, useSend } from '../flow-context.tsx';
import { NothingFound } from './NothingFound.tsx';
import { RecentFirst } from './RecentFirst.tsx';
import { findRecentSites } from './recent-sites.ts';
import type { RecentSite } from './recent-sites.ts';
import { SearchedCount } from './SearchedCount.tsx';
import { countSites, createSiteSearch, firstSites, glanceCount, sitesOf } from './site-search.ts';
import { SiteList } from './SiteList.tsx';
import type { ListHandle } from './SiteList.tsx';
import type { ListedSite } from './site-order.ts';
import { SiteSearch } from './SiteSearch.tsx';
import styles from './site-search.module.css';

/** The to-dos of so many hits are asked for before anything else: a screen and a little more. */
const urgentHits = 24;

/** The list of sites, and what finds one among many. */
export function SiteChooser({ listed }: { listed: readonly ListedSite[] }): ReactNode {
  const [query, setQuery] = useState('');
  // typing comes first: the list follows when the browser has time for it
  const searched = useDeferredValue(query);
  const search = useMemo(() => createSiteSearch(listed), [listed]);
  const found = useMemo(() => search(searched), [search, searched]);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<ListHandle>(null);
  const isSearched = searched.trim() !== '';
  const count = countSites(found);
  const recent = useRecentSites(listed);
  const isLong = countSites(listed) > glanceCount;
  useTodosOfHits(isSearched ? found : undefined);

  const focusField = (): boolean => {
    field.current?.focus();
    return field.current !== null;
  };
  const showAll = (): void => {
    setQuery('');
    focusField();
  };

  return (
    <>
      {isLong && (
        <div className={styles.tools} data-tools="">
          <SiteSearch
            query={query}
            onSearch={setQuery}
            onIntoList={() => list.current?.focusFirst()}
            field={field}
          />
          <SearchedCount count={count} query={isSearched ? searched : undefined} />
          <RecentFirst />
        </div>
      )}
      {count === 0 && <NothingFound query={searched} onShowAll={showAll} />}
      <SiteList
        recent={isLong && !isSearched ? recent : none}
        listed={found}
        leaveUpwards={focusField}
        ref={list}
      />
    </>
  );
}

const none: readonly never[] = [];

/** The sites that were chosen last, for somebody who wants them first. */
function useRecentSites(listed: readonly ListedSite[]): readonly RecentSite[] {
  const isChosen = useFlow(({ siteList }) => siteList?.recentSitesFirst ?? false);
  const names = useFlow(({ siteList }) => siteList?.recentSites);
  return useMemo(
    () => (isChosen && names ? findRecentSites(listed, names) : none),
    [isChosen, names, listed],
  );
}

/** What was searched for is what the visitor wants to know about. */
function useTodosOfHits(hits: readonly ListedSite[] | undefined): void {
  const send = useSend();
  const hasTodos = useFlow(showsTodos);
  useEffect(() => {
    if (!hits || !hasTodos) return;
    const sites = firstSites(hits, urgentHits).flatMap((entry) => sitesOf(entry).map(({ name }) => name));
    send({ type: 'TODOS_WANTED', sites });
  }, [hits, hasTodos, send]);
}
