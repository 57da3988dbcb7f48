import type { Locale } from '@anteroom/contract';
import { requireState } from '@anteroom/testkit/states/states';
import type { State } from '@anteroom/testkit/states/state';

/**
 * A language, colour scheme and width. `forced`: the system's colours replace those of the page. `zoomed`: the initial
 * viewport at 400 % of 1280 × 1024. 440 and 441 are both sides of the mobile breakpoint (specification, point 9).
 */
type Look = `${Locale} ${'light' | 'dark'} ${320 | 440 | 441 | 768 | 1280}${'' | ' forced' | ' zoomed'}`;

/**
 * Each screen in its most telling states. German has long words, Arabic and Hebrew run from right to left, Chinese and
 * Japanese break lines differently.
 */
const looksOfStates: Readonly<Record<string, readonly Look[]>> = {
  'choose-account': ['en light 1280', 'ar dark 320'],
  'site-entry': ['de dark 320'],
  'site-entry-unknown': ['en light 1280', 'ar dark 1280'],
  credentials: ['he dark 1280'],
  'credentials-brand': ['de dark 320'],
  'credentials-flat': ['ja light 1280'],
  'credentials-long-name': ['zh light 320'],
  'credentials-name-alone': ['ar light 320'],
  'credentials-password-shown': ['ja light 1280'],
  'credentials-under-way': ['en light 1280'],
  'credentials-wrong': ['en light 1280', 'ar dark 1280', 'de light 320', 'en light 1280 forced'],
  'password-required': ['de dark 320'],
  elevate: ['en light 1280'],
  'second-factor': ['he dark 1280'],
  'second-factor-filled': ['he light 320 forced'],
  'second-factor-plain': ['en light 1280'],
  'second-factor-wrong': ['de light 320', 'ja dark 320'],
  'second-factor-email': ['ar light 320'],
  'second-factor-passkey': ['zh light 320'],
  authenticator: ['ja light 1280'],
  'authenticator-set-up': ['ja dark 320', 'en light 1280'],
  'authenticator-set-up-codes': ['ar light 320'],
  'password-change': ['ar light 320'],
  'password-change-refused': ['en light 1280', 'de light 320'],
  'site-list': [
    'en light 1280',
    'ar dark 1280',
    'ja dark 320',
    'en light 440',
    'en light 441',
    'zh light 768',
    'en light 320 zoomed',
  ],
  'site-list-entering': ['he dark 1280'],
  'site-list-long-names': ['ar dark 1280'],
  'site-list-many': ['de dark 320'],
  'site-list-much-to-do': ['ja light 1280', 'de dark 320 forced'],
  'site-list-nothing-found': ['zh light 320'],
  'site-list-pinned': ['en light 1280', 'ar light 320'],
  'site-list-recent': ['ar light 320'],
  'site-list-one': ['en light 320'],
  'site-list-remedies': ['de light 1280'],
  'site-list-todos-under-way': ['de dark 320'],
  'language-menu': ['ar light 1280'],
  'notice-error': ['en light 1280', 'ar light 320 zoomed'],
  'notice-info': ['ar light 320'],
  account: ['en light 1280', 'ar dark 320'],
  'account-activity': ['zh light 320'],
  'account-app-set-up': ['ar light 320'],
  'account-limited': ['zh light 320'],
  'account-passkey-name': ['de dark 320'],
  'account-phone-code': ['ja light 1280'],
  'account-removing': ['ar light 320'],
  'account-recovery-codes': ['he dark 1280'],
  'forgotten-password': ['de dark 320'],
  'forgotten-password-sent': ['zh light 320'],
  'forgotten-site-invalid': ['en light 1280'],
  'new-password-refused': ['ar light 320'],
  'not-me': ['he dark 1280'],
  'sign-out': ['ja light 1280'],
  'signed-out': ['de dark 320'],
  error: ['de dark 320'],
  'error-long': ['en light 1280', 'ar dark 1280', 'ja dark 320'],
  splash: ['en light 1280'],
  'splash-no-answer': ['de dark 320'],
  'verified-email': ['he dark 1280'],
  version: ['he dark 1280'],
};

/** A state in one look. */
export interface Shot {
  name: string;
  state: State;
  locale: Locale;
  colours: 'light' | 'dark';
  width: number;
  hasForcedColours: boolean;
  isZoomed: boolean;
}

export const shots: readonly Shot[] = Object.entries(looksOfStates).flatMap(([id, looks]) =>
  looks.map((look) => {
    const [locale, colours, width, setting] = look.split(' ') as [Locale, Shot['colours'], string, string?];
    return {
      name: [id, ...look.split(' ')].join('.'),
      state: requireState(id),
      locale,
      colours,
      width: Number(width),
      hasForcedColours: setting === 'forced',
      isZoomed: setting === 'zoomed',
    };
  }),
);
