import { useEffect, useId, useState } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Icon } from '../../ui/icon/Icon.tsx';
import { InlineIcon } from '../../ui/icon/InlineIcon.tsx';
import { LiveRegion, VisuallyHidden } from '../../ui/text/LiveRegion.tsx';
import fieldStyles from '../../ui/field/field.module.css';
import { useFlow, useSend } from '../flow-context.tsx';
import styles from './list-tools.module.css';

interface ListToolsProps extends SiteSearchProps {
  /** The number of visible sites. */
  count: number;
  /** The search query; undefined without a search. */
  searched: string | undefined;
}

/**
 * The tools above a long list: the search field, the number of sites shown, and the choice to show recent sites first.
 */
export function ListTools({ count, searched, ...search }: ListToolsProps): ReactNode {
  return (
    <div className={styles.tools}>
      <SiteSearch {...search} />
      <SearchedCount count={count} query={searched} />
      <RecentFirst />
    </div>
  );
}

interface SiteSearchProps {
  query: string;
  onSearch: (query: string) => void;
  /** Moves the focus to the first entry of the list. */
  onIntoList: () => void;
  field: RefObject<HTMLInputElement | null>;
}

/**
 * Filters the sites while the visitor types. Handles only Escape and the arrow key into the list; other keys are the
 * browser's.
 */
function SiteSearch({ query, onSearch, onIntoList, field }: SiteSearchProps): ReactNode {
  const { t } = useLanguage();
  const id = useId();

  const clear = (): void => {
    onSearch('');
    field.current?.focus();
  };
  const useKey = (event: KeyboardEvent): void => {
    // During composition, the input method handles all keys.
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    if (event.key === 'Escape' && query !== '') clear();
    else if (event.key === 'ArrowDown') onIntoList();
    else return;
    event.preventDefault();
  };

  return (
    <search className={styles.search}>
      <label htmlFor={id}>
        <VisuallyHidden>{t('selectSite.search.label')}</VisuallyHidden>
      </label>
      <span className={styles.glass}>
        <Icon name="search" />
      </span>
      <input
        className={`${fieldStyles.input} ${styles.field}`}
        id={id}
        ref={field}
        type="search"
        name="search"
        value={query}
        onChange={(event) => onSearch(event.currentTarget.value)}
        onKeyDown={useKey}
        placeholder={t('selectSite.search.label')}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        dir="auto"
      />
      {query !== '' && (
        <button
          className={fieldStyles.inField}
          type="button"
          aria-label={t('selectSite.search.clear')}
          onClick={clear}
        >
          <InlineIcon name="close" />
        </button>
      )}
    </search>
  );
}

/** The pause before the result is announced. An announcement at each keystroke would interrupt the screen reader. */
const restMs = 500;

/** Shows the number of visible sites at once. Announces it after a pause, and only if the visitor searches. */
function SearchedCount({ count, query }: { count: number; query: string | undefined }): ReactNode {
  const { t } = useLanguage();
  const shown = t('selectSite.search.count', { count });
  const isNothing = count === 0 && query !== undefined;
  const message = isNothing ? t('selectSite.search.none', { query }) : shown;
  const announced = useRested(message);
  const hasSearched = useHasBeen(query !== undefined);
  return (
    <>
      {/* If no site matches, `NothingFound` says so below. */}
      <p className={styles.count}>{!isNothing && shown}</p>
      <LiveRegion message={hasSearched ? announced : undefined} />
    </>
  );
}

/** The text after the last pause in typing. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

function useHasBeen(isSo: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(isSo);
  if (isSo && !hasBeen) setHasBeen(true);
  return hasBeen;
}

/** The preference for recent sites first, stored by the service. Hidden if the service does not offer it. */
function RecentFirst(): ReactNode {
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
      onClick={() => send({ type: 'PREFERENCE_CHOSEN', preference: { isOn: !isChosen } })}
    >
      <span className={styles.track} aria-hidden="true" />
      {t('selectSite.recent.first')}
    </button>
  );
}

/** Shown when no site matches the search, with a button that shows all of them again. */
export function NothingFound({ query, onShowAll }: { query: string; onShowAll: () => void }): ReactNode {
  const { t } = useLanguage();
  return (
    <div className={styles.nothing}>
      <p>
        <RichText message="selectSite.search.none" parts={{ query }} />
      </p>
      <button className={styles.showAll} type="button" onClick={onShowAll}>
        {t('selectSite.search.showAll')}
      </button>
    </div>
  );
}
