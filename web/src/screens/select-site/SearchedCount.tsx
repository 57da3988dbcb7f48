import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import styles from './site-search.module.css';

interface SearchedCountProps {
  count: number;
  /** What was searched for; undefined while everything shows. */
  query: string | undefined;
}

/** A reader would speak over each letter that is typed: the result is said when the typing rests. */
const restMs = 500;

/** How many sites show: seen at once, said a moment later, and only about a search. */
export function SearchedCount({ count, query }: SearchedCountProps): ReactNode {
  const { t } = useLanguage();
  const shown = t('selectSite.search.count', { count });
  const isNothing = count === 0 && query !== undefined;
  const message = isNothing ? t('selectSite.search.none', { query }) : shown;
  const said = useRested(message);
  const hasSearched = useHasBeen(query !== undefined);
  return (
    <>
      {/* that nothing was found is said in words, further down */}
      <p className={styles.count}>{!isNothing && shown}</p>
      <LiveRegion message={hasSearched ? said : undefined} />
    </>
  );
}

/** A text as it was when it last rested for a moment. */
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
