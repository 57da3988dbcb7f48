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
