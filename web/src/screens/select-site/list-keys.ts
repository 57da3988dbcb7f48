import type { Site } from '@anteroom/contract';
import { useCallback, useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { foldText } from './search-text.ts';

/**
 * The place that a key leads to from another place in a list; -1 is above the list. Undefined for keys that lead nowhere. Up and down alone:
 * they mean the same in every direction of writing.
 */
export function placeAfterKey(key: string, place: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(place + 1, count - 1);
    case 'ArrowUp':
      return place - 1;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** After so long the next letter begins a new word. */
const typeAheadPauseMs = 1000;

export interface TypeAhead {
  /**
   * The place whose name begins with what has been typed, from the present place on and round the end; undefined when there is none.
   * The same letter again goes on to the next name that begins with it.
   */
  type: (character: string, timeMs: number, place: number, names: readonly string[]) => number | undefined;
}

export function createTypeAhead(): TypeAhead {
  let typed = '';
  let lastTimeMs = -Infinity;
  return {
    type(character, timeMs, place, names) {
      const letter = foldText(character);
      if (letter === '') return undefined;
      typed = timeMs - lastTimeMs > typeAheadPauseMs ? letter : typed + letter;
      lastTimeMs = timeMs;
      const isOneLetter = typed === letter.repeat(typed.length / letter.length);
      const beginning = isOneLetter ? letter : typed;
      const start = isOneLetter ? place + 1 : place;
      for (let step = 0; step < names.length; step += 1) {
        const candidate = (start + step) % names.length;
        if (comparable(names[candidate] ?? '').startsWith(beginning)) return candidate;
      }
      return undefined;
    },
  };
}

/** A space selects and is never typed here, so that names are compared without. */
function comparable(name: string): string {
  return foldText(name).replaceAll(' ', '');
}

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
