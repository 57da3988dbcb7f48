import { createContext, use, useEffect } from 'react';
import type { RefObject } from 'react';

/** Watches which entries of the list are in view. */
export interface Sightings {
  /** Watches an entry, named by its `data-site`; answers how to stop. */
  watch: (entry: Element) => () => void;
}

/** Tells the entries in view, from top to bottom, each time that they change. One observer serves the whole list. */
export function createSightings(onInView: (sites: readonly string[]) => void): Sightings {
  const inView = new Set<Element>();
  const observer = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      if (isIntersecting) inView.add(target);
      else inView.delete(target);
    }
    onInView(fromTopToBottom(inView).flatMap((entry) => entry.getAttribute('data-site') ?? []));
  });
  return {
    watch(entry) {
      observer.observe(entry);
      return () => {
        observer.unobserve(entry);
        inView.delete(entry);
      };
    },
  };
}

function fromTopToBottom(entries: ReadonlySet<Element>): readonly Element[] {
  return [...entries].toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
}

/** The watch of the list that an entry stands in; undefined where nobody asks what is in view. */
export const SightingsContext = createContext<Sightings | undefined>(undefined);

/** Lets the list know when this entry is in view. */
export function useSighting(entry: RefObject<Element | null>): void {
  const sightings = use(SightingsContext);
  useEffect(() => {
    if (entry.current) return sightings?.watch(entry.current);
  }, [entry, sightings]);
}
