import type { Site } from '@anteroom/contract';
import { useCallback, useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { foldText } from './search-text.ts';

/**
 * The index that a key moves to; -1 is above the list. Undefined for keys that do not move. Uses only the up and down
 * arrows, which are the same in every writing direction.
 */
export function indexAfterKey(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, count - 1);
    case 'ArrowUp':
      return index - 1;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** After this pause, the next letter starts a new search. */
const typeAheadPauseMs = 1000;

export interface TypeAhead {
  /**
   * The index of the name that begins with the typed letters, from the current index on with wrap-around; undefined
   * without a match. A repeated letter moves to the next match.
   */
  type: (character: string, timeMs: number, index: number, names: readonly string[]) => number | undefined;
}

export function createTypeAhead(): TypeAhead {
  let typed = '';
  let lastTimeMs = -Infinity;
  return {
    type(character, timeMs, index, names) {
      const letter = foldText(character);
      if (letter === '') return undefined;
      typed = timeMs - lastTimeMs > typeAheadPauseMs ? letter : typed + letter;
      lastTimeMs = timeMs;
      const isOneLetter = typed === letter.repeat(typed.length / letter.length);
      const beginning = isOneLetter ? letter : typed;
      const start = isOneLetter ? index + 1 : index;
      for (let step = 0; step < names.length; step += 1) {
        const candidate = (start + step) % names.length;
        if (comparable(names[candidate] ?? '').startsWith(beginning)) return candidate;
      }
      return undefined;
    },
  };
}

/** The space key selects and cannot be typed here, so names are compared without spaces. */
function comparable(name: string): string {
  return foldText(name).replaceAll(' ', '');
}

interface KeyedList {
  /** The element around all entries. */
  place: RefObject<HTMLElement | null>;
  /** The sites of all entries from top to bottom, including those not yet rendered. */
  sites: readonly Site[];
  /** Renders at least this many entries. */
  growTo: (count: number) => void;
  /** Moves the focus to the element above the list; returns whether there is one. */
  leaveUpwards: () => boolean;
}

/**
 * Arrow keys, Home, End and typing the start of a name move the focus between entries, and `/` moves it to the search
 * above them. The Tab key is not handled.
 * @returns a function that focuses the entry at an index
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
      // Only inside the list, because a shortcut of one character must not act elsewhere (WCAG 2.1.4).
      const to =
        key === '/'
          ? -1
          : isCharacter
            ? typeAhead.type(key, timeStamp, from, names)
            : indexAfterKey(key, from, names.length);
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
