import type { Locale } from '@anteroom/contract';
import { states } from '@anteroom/testkit/states/states';
import type { State } from '@anteroom/testkit/states/state';

/** A state as one kind of visitor sees it. */
export interface Shot {
  state: State;
  locale: Locale;
  colours: 'light' | 'dark';
  width: 320 | 440 | 441 | 1280;
}

type Way = Omit<Shot, 'state'>;

const plain: Way = { locale: 'en', colours: 'light', width: 1280 };

/**
 * The ways to look at the states whose layout has most to lose: German is long, Arabic runs the other way, Japanese has a rhythm of its own.
 */
const manyWays: readonly Way[] = [
  plain,
  { locale: 'ar', colours: 'dark', width: 1280 },
  { locale: 'de', colours: 'light', width: 320 },
  { locale: 'ja', colours: 'dark', width: 320 },
];

const lookedAtManyWays: ReadonlySet<string> = new Set([
  'site-entry-unknown',
  'credentials-wrong',
  'second-factor-wrong',
  'password-change-refused',
  'site-list',
  'error-long',
  'notice-error',
  'forgotten-password-sent',
]);

/** The one rich screen, also on either side of the mobile breakpoint (specification, point 9). */
const widthsOfTheList: readonly Way[] = [
  { ...plain, width: 320 },
  { ...plain, width: 440 },
  { ...plain, width: 441 },
  { locale: 'ar', colours: 'dark', width: 440 },
  { locale: 'ar', colours: 'light', width: 441 },
];

/** What every other state is looked at by, in turn: each way meets each group. */
const turns: readonly Way[] = [
  plain,
  { locale: 'de', colours: 'dark', width: 320 },
  { locale: 'ar', colours: 'light', width: 320 },
  { locale: 'ja', colours: 'light', width: 1280 },
  { locale: 'ar', colours: 'dark', width: 1280 },
];

/** It shows its own address, and so the port, which is another one each time. */
const isNeverTheSame = (state: State): boolean => state.id === 'sample-destination';

/** The pictures of the record. */
export const shots: readonly Shot[] = states.flatMap((state, index) => {
  if (isNeverTheSame(state)) return [];
  const ways = lookedAtManyWays.has(state.id) ? manyWays : [turns[index % turns.length] ?? plain];
  const more = state.id === 'site-list' ? widthsOfTheList : [];
  return (
    [...ways, ...more]
      // the picker is not there on a narrow screen
      .map((way) => (state.id === 'language-menu' ? { ...way, width: 1280 as const } : way))
      .map((way) => ({ state, ...way }))
  );
});

/** The name of a picture's file, without its ending. */
export const nameOfShot = ({ state, locale, colours, width }: Shot): string =>
  [state.id, locale, colours, width].join('.');
