import type { Site } from '@anteroom/contract';
import { useCallback, useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { createTypeAhead, placeAfterKey } from './list-keys.ts';

interface KeyedList {
  /** What stands around all entries. */
  place: RefObject<HTMLElement | null>;
  /** The sites of all entries from top to bottom, also of those that are not drawn yet. */
  sites: readonly Site[];
  /** Draws at least so many entries. */
  growTo: (count: number) => void;
  /** Takes the focus upwards out of the list; says whether there is anything above. */
  leaveUpwards: () => boolean;
}

/**
 * Arrow keys, Home, End and the beginning of a name move the focus from entry to entry. The Tab key goes everywhere as before.
 * @returns takes the focus to the entry at a place
 */
export function useListKeys({ place, sites, growTo, leaveUpwards }: KeyedList): (index: number) => void {
  const latest = useRef({ sites, growTo, leaveUpwards });
  useEffect(() => {
    latest.current = { sites, growTo, leaveUpwards };
  });

  const focusEntry = useCallback(
    (index: number): void => {
      if (!entriesOf(place)[index]) flushSync(() => latest.current.growTo(index + 1));
      entriesOf(place)[index]?.querySelector<HTMLElement>('button:not([data-todo])')?.focus();
    },
    [place],
  );

  useEffect(() => {
    const list = place.current;
    if (!list) return;
    const typeAhead = createTypeAhead();
    const listen = (event: KeyboardEvent): void => {
      const { key, target, timeStamp } = event;
      if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
      const entry = target instanceof Element ? target.closest('[data-site]') : null;
      if (!entry) return;
      const from = entriesOf(place).indexOf(entry);
      const names = latest.current.sites.map(({ displayName }) => displayName);
      const isCharacter = /^\S$/u.test(key);
      const to = isCharacter
        ? typeAhead.type(key, timeStamp, from, names)
        : placeAfterKey(key, from, names.length);
      if (to === undefined) return;
      if (to >= 0) focusEntry(to);
      else if (!latest.current.leaveUpwards()) return;
      event.preventDefault();
    };
    list.addEventListener('keydown', listen);
    return () => list.removeEventListener('keydown', listen);
  }, [place, focusEntry]);

  return focusEntry;
}

function entriesOf(place: RefObject<Element | null>): Element[] {
  return [...(place.current?.querySelectorAll('[data-site]') ?? [])];
}
