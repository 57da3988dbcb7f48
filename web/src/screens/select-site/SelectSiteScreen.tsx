import { wholeName } from '@anteroom/contract/person-name';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { FlowState } from '../../flow/model.ts';
import { selectableSites, showsTodos } from '../../flow/steps/select-site.ts';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { Skeleton } from '../../ui/skeleton/Skeleton.tsx';
import { Heading } from '../../ui/text/Heading.tsx';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import { FormAlert } from '../FormAlert.tsx';
import { ListTools, NothingFound } from './ListTools.tsx';
import {
  countSites,
  createSiteSearch,
  findLeadingSites,
  firstSites,
  glanceCount,
  listSites,
  sitesOf,
} from './listed-sites.ts';
import type { LeadingSites, ListedSite } from './listed-sites.ts';
import { PinsContext } from './PinButton.tsx';
import { searchedWords } from './search-text.ts';
import styles from './site-list.module.css';
import { SiteList } from './SiteList.tsx';
import type { ListHandle } from './SiteList.tsx';
import { hasFailed, isNothingAwaiting } from './todos.ts';

/** The list of the user's boards. */
export function SelectSiteScreen(): ReactNode {
  const { t } = useLanguage();
  const opening = useFlow(openingSite);
  return (
    <>
      <Welcome />
      <Heading>{t('selectSite.prompt')}</Heading>
      <TodoStatus />
      <FormAlert />
      <Sites />
      <LiveRegion isAssertive message={opening && t('selectSite.opening', { site: opening })} />
    </>
  );
}

/** Welcomes the user by name. The line keeps its height while the name loads. */
function Welcome(): ReactNode {
  const name = useFlow(({ siteList }) =>
    siteList ? wholeName(siteList.userFirstName, siteList.userLastName) : '',
  );
  return (
    <p className={styles.welcome}>
      {name !== '' && <RichText message="selectSite.welcome" parts={{ name }} />}
    </p>
  );
}

/** Says in the gap above the list that nothing awaits the user at any board, or that this is not known. */
function TodoStatus(): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const isNothing = useFlow(({ todos }) => isNothingAwaiting(todos));
  const isFailed = useFlow(({ todos }) => hasFailed(todos));
  return (
    <div className={styles.status}>
      <output>
        {isNothing && t('selectSite.nothingAwaits')}
        {isFailed && t('selectSite.todosFailed')}
      </output>
      {isFailed && (
        <ActionButton
          action="load-todos-again"
          onPress={() => send({ type: 'TODOS_WANTED', sites: [], again: true })}
        >
          {t('selectSite.loadTodosAgain')}
        </ActionButton>
      )}
    </div>
  );
}

function Sites(): ReactNode {
  const { t, locale } = useLanguage();
  const sites = useFlow((state) => state.siteList?.sites);
  const listed = useMemo(() => sites && listSites(sites, locale), [sites, locale]);
  if (listed) return <SiteChooser listed={listed} />;
  return (
    <div className={styles.waiting}>
      <Skeleton label={t('common.loading')} shape="entry" />
      <Skeleton label={t('common.loading')} shape="entry" />
    </div>
  );
}

/** The display name of the site that is being opened. */
function openingSite(state: FlowState): string | undefined {
  if (!state.loading || state.leavingTo !== undefined) return undefined;
  return selectableSites(state).find(({ name }) => name === state.site)?.displayName;
}

/** The list of sites, with a search if the list is long. */
function SiteChooser({ listed }: { listed: readonly ListedSite[] }): ReactNode {
  const [query, setQuery] = useState('');
  // Typing has priority over the list, which React renders at lower priority.
  const searched = useDeferredValue(query);
  const search = useMemo(() => createSiteSearch(listed), [listed]);
  const found = useMemo(() => search(searched), [search, searched]);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<ListHandle>(null);
  const isSearched = searchedWords(searched).length > 0;
  const count = countSites(found);
  const isLong = countSites(listed) > glanceCount;
  const leading = useLeadingSites(listed, isLong && !isSearched);
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
    <PinsContext value={isLong}>
      {isLong && (
        <ListTools
          query={query}
          onSearch={setQuery}
          onIntoList={() => list.current?.focusFirst()}
          field={field}
          count={count}
          searched={isSearched ? searched : undefined}
        />
      )}
      {count === 0 && <NothingFound query={searched} onShowAll={showAll} />}
      <SiteList leading={leading} listed={found} leaveUpwards={focusField} ref={list} />
    </PinsContext>
  );
}

const none: readonly never[] = [];

/**
 * The pinned sites, and the recent ones for a user who wants them first. A pin that is pressed changes the section only
 * the next time it is shown, after a search or on the next visit: until then no entry moves, appears or disappears.
 */
function useLeadingSites(listed: readonly ListedSite[], isShown: boolean): LeadingSites {
  const present = useFlow(({ siteList }) => siteList?.pinnedSites) ?? none;
  const [pinned, setPinned] = useState(present);
  if (!isShown && pinned !== present) setPinned(present);
  const hasRecent = useFlow(({ siteList }) => siteList?.recentSitesFirst ?? false);
  const recent = useFlow(({ siteList }) => siteList?.recentSites) ?? none;
  return useMemo(
    () => findLeadingSites(isShown ? listed : none, { pinned, recent: hasRecent ? recent : none }),
    [isShown, listed, pinned, hasRecent, recent],
  );
}

/** The number of search results whose to-dos are requested first: slightly more than fit on a screen. */
const urgentHits = 24;

/** Requests the to-dos of search results before those of other sites. */
function useTodosOfHits(hits: readonly ListedSite[] | undefined): void {
  const send = useSend();
  const hasTodos = useFlow(showsTodos);
  useEffect(() => {
    if (!hits || !hasTodos) return;
    const sites = firstSites(hits, urgentHits).flatMap((entry) => sitesOf(entry).map(({ name }) => name));
    send({ type: 'TODOS_WANTED', sites });
  }, [hits, hasTodos, send]);
}
