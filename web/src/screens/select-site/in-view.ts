import { createContext, use, useEffect } from 'react';
import type { RefObject } from 'react';

/** Tracks which entries of the list are in view. */
export interface EntriesInView {
  /** Observes an entry (identified by `data-site`); returns a function to stop. */
  watch: (entry: Element) => () => void;
  /**
   * Whether the visitor has seen the entry of a site, or it is above the viewport. Removing content there would move the
   * text that the visitor reads.
   */
  wasReached: (site: string) => boolean;
  /** The list has become visible. */
  show: () => void;
}

/** Reports the visible entries from top to bottom whenever they change. One observer serves the whole list. */
export function trackEntriesInView(onInView: (sites: readonly string[]) => void): EntriesInView {
  const inView = new Set<Element>();
  const reached = new Set<string>();
  let isVisible = false;
  const nameOf = (entry: Element): string => entry.getAttribute('data-site') ?? '';
  const observer = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting, boundingClientRect, rootBounds } of changes) {
      if (isIntersecting) inView.add(target);
      else inView.delete(target);
      const isBelow = boundingClientRect.top >= (rootBounds?.bottom ?? innerHeight);
      if (isIntersecting || !isBelow) reached.add(nameOf(target));
    }
    onInView(fromTopToBottom(inView).map(nameOf));
  });
  return {
    watch(entry) {
      observer.observe(entry);
      return () => {
        observer.unobserve(entry);
        inView.delete(entry);
      };
    },
    wasReached: (site) => isVisible && reached.has(site),
    show: () => {
      isVisible = true;
    },
  };
}

function fromTopToBottom(entries: ReadonlySet<Element>): readonly Element[] {
  return [...entries].toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
}

/** The observer of the list around an entry; undefined if to-dos are not shown. */
export const EntriesInViewContext = createContext<EntriesInView | undefined>(undefined);

/** Observes this entry. */
export function useEntryInView(entry: RefObject<Element | null>): void {
  const entriesInView = use(EntriesInViewContext);
  useEffect(() => {
    if (entry.current) return entriesInView?.watch(entry.current);
  }, [entry, entriesInView]);
}
