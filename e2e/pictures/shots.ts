import type { Locale } from '@anteroom/contract';
import { states } from '@anteroom/testkit/states/states';
import type { State } from '@anteroom/testkit/states/state';

/** A state in one language, colour scheme and width. */
export interface Shot {
  state: State;
  locale: Locale;
  colours: 'light' | 'dark';
  width: 320 | 440 | 441 | 768 | 1280;
  /** The system's colours replace those of the page. */
  hasForcedColours?: true;
  /** The initial viewport at 400 % of 1280 × 1024. */
  isZoomed?: true;
}

type Way = Omit<Shot, 'state'>;

const plain: Way = { locale: 'en', colours: 'light', width: 1280 };

/**
 * The looks for states with a complex layout: German has long words, Arabic runs from right to left, Japanese breaks
 * lines differently.
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
]);

/** Additional widths for the site list, including both sides of the mobile breakpoint (specification, point 9). */
const widthsOfTheList: readonly Way[] = [
  { ...plain, width: 320 },
  { ...plain, width: 440 },
  { ...plain, width: 441 },
  { locale: 'ar', colours: 'dark', width: 440 },
  { locale: 'ar', colours: 'light', width: 441 },
  { locale: 'zh', colours: 'light', width: 768 },
];

/** The looks for all other states. The state's id decides, so that a new state changes no other picture. */
const turns: readonly Way[] = [
  plain,
  { locale: 'de', colours: 'dark', width: 320 },
  { locale: 'ar', colours: 'light', width: 320 },
  { locale: 'ja', colours: 'light', width: 1280 },
  { locale: 'he', colours: 'dark', width: 1280 },
  { locale: 'zh', colours: 'light', width: 320 },
  { locale: 'ar', colours: 'dark', width: 1280 },
];

/** Additional pictures with forced colours or zoom. */
const settings: Readonly<Record<string, readonly Way[]>> = {
  'credentials-wrong': [{ ...plain, hasForcedColours: true }],
  'second-factor-filled': [{ locale: 'he', colours: 'light', width: 320, hasForcedColours: true }],
  'site-list': [{ ...plain, width: 320, isZoomed: true }],
  'site-list-much-to-do': [{ locale: 'de', colours: 'dark', width: 320, hasForcedColours: true }],
  'notice-error': [{ locale: 'ar', colours: 'light', width: 320, isZoomed: true }],
};

/** States without a picture, because they differ from another state only in their text. */
const looksLikeAnother: ReadonlySet<string> = new Set([
  'site-entry-unreachable',
  'credentials-too-often',
  'credentials-unexpected',
  'credentials-unreachable',
  'credentials-expired',
  'second-factor-limit',
  'authenticator-wrong',
  'authenticator-recovery-code',
  'account-app-wrong',
  'account-last-factor',
  'account-app-required',
  'sign-out-without-cancel',
  'error-unknown',
  'new-password-invitation-over',
]);

/** A state without a picture, because it shows its own address with a random port. */
const isNeverTheSame = (state: State): boolean => state.id === 'sample-destination';

const lookOf = ({ id }: State): Way =>
  turns[Buffer.from(id).reduce((sum, byte) => sum + byte, 0) % turns.length] ?? plain;

/** All pictures of the record. */
export const shots: readonly Shot[] = states.flatMap((state) => {
  if (isNeverTheSame(state) || looksLikeAnother.has(state.id)) return [];
  const ways = lookedAtManyWays.has(state.id) ? manyWays : [lookOf(state)];
  const more = state.id === 'site-list' ? widthsOfTheList : [];
  return (
    [...ways, ...more, ...(settings[state.id] ?? [])]
      // a narrow screen has no language picker
      .map((way) => (state.id === 'language-menu' ? { ...way, width: 1280 as const } : way))
      .map((way) => ({ state, ...way }))
  );
});

/** The picture whose page is also tested for accessibility: the first of its state, unless the state has no screen. */
export const shotWithScene = (stateName: string): Shot | undefined =>
  shots.find(({ state }) => state.step !== undefined && state.name === stateName);

/** The file name of a picture, without extension. */
export const nameOfShot = ({ state, locale, colours, width, hasForcedColours, isZoomed }: Shot): string =>
  [
    state.id,
    locale,
    hasForcedColours ? `forced-${colours}` : colours,
    isZoomed ? `${width}-zoomed` : width,
  ].join('.');
