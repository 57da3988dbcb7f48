import { createContext, use, useEffect, useState } from 'react';
import type { RefObject } from 'react';

/** Tracks which entries of the list are in view. */
export interface EntriesInView {
  /** Observes an entry (identified by `data-site`); returns a function to stop. */
  watch: (entry: Element) => () => void;
  /**
   * Whether the entry of a site is or was in view, or is above the viewport. Removing content there would move the text
   * that the visitor reads.
   */
  wasReached: (site: string) => boolean;
}

/** Reports the visible entries from top to bottom whenever they change. One observer serves the whole list. */
export function trackEntriesInView(onInView: (sites: readonly string[]) => void): EntriesInView {
  const inView = new Set<Element>();
  const reached = new Set<string>();
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
    wasReached: (site) => reached.has(site),
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

/**
 * Logos are loaded within this distance of the viewport. The browser's own lazy loading reaches thousands of pixels
 * further (wire contract, "Lazy logos").
 */
const logoMarginPx = 150;

const waiting = new Map<Element, () => void>();

/** One observer serves all logos, because two thousand observers would be slow. */
let observer: IntersectionObserver | undefined;

function observerOfLogos(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) waiting.get(target)?.();
    },
    { rootMargin: `${logoMarginPx}px` },
  );
  return observer;
}

/** Whether an element has been near the viewport. */
export function useWasNearViewport(place: RefObject<Element | null>): boolean {
  const [wasNear, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element || wasNear) return;
    waiting.set(element, () => setNear(true));
    observerOfLogos().observe(element);
    return () => {
      waiting.delete(element);
      observerOfLogos().unobserve(element);
    };
  }, [place, wasNear]);
  return wasNear;
}
