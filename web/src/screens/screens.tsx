import type { ComponentType } from 'react';
import type { Page } from '../flow/model.ts';
import type { Flow } from '../flow/store.ts';
import { loadTexts } from '../i18n/current-language.ts';
import type { TextGroup } from '../i18n/locale-file.ts';
import { CredentialsScreen } from './credentials/CredentialsScreen.tsx';
import { ErrorScreen } from './error/ErrorScreen.tsx';
import { createLazyChunks, createShownStore } from './lazy-chunks.ts';
import { SiteEntryScreen } from './site-entry/SiteEntryScreen.tsx';

/**
 * The screens of the main chunk: the first screens, and the error screen, which must work when no other chunk can be
 * loaded.
 */
const included = {
  'site-entry': SiteEntryScreen,
  credentials: CredentialsScreen,
  error: ErrorScreen,
};

/** A screen whose texts are in a file of their own, which loads together with its chunk. */
const withTexts =
  (group: TextGroup, load: () => Promise<ComponentType>) => async (): Promise<ComponentType> => {
    const [screen] = await Promise.all([load(), loadTexts(group)]);
    return screen;
  };

const changePassword = withTexts(
  'passwordChange',
  async () => (await import('./password-change/PasswordChangeScreen.tsx')).PasswordChangeScreen,
);

/** Every other screen is its own chunk. */
const lazyScreens: Readonly<Record<Exclude<Page, keyof typeof included>, () => Promise<ComponentType>>> = {
  'choose-account': withTexts(
    'accounts',
    async () => (await import('./choose-account/ChooseAccountScreen.tsx')).ChooseAccountScreen,
  ),
  elevate: async () => (await import('./elevate/ElevateScreen.tsx')).ElevateScreen,
  'password-required': withTexts(
    'passwordRequired',
    async () => (await import('./password-required/PasswordRequiredScreen.tsx')).PasswordRequiredScreen,
  ),
  'second-factor-required': withTexts(
    'secondFactor',
    async () => (await import('./second-factor/SecondFactorScreen.tsx')).SecondFactorScreen,
  ),
  'password-reset-required': changePassword,
  'password-reset-voluntary': changePassword,
  'select-site': withTexts(
    'selectSite',
    async () => (await import('./select-site/SelectSiteScreen.tsx')).SelectSiteScreen,
  ),
  logout: withTexts('logout', async () => (await import('./logout/LogoutScreen.tsx')).LogoutScreen),
  'logged-out': withTexts(
    'loggedOut',
    async () => (await import('./logout/LoggedOutScreen.tsx')).LoggedOutScreen,
  ),
  version: withTexts('version', async () => (await import('./version/VersionScreen.tsx')).VersionScreen),
  'require-verified-login-email': async () =>
    (await import('./require-verified-login-email/RequireVerifiedLoginEmailScreen.tsx'))
      .RequireVerifiedLoginEmailScreen,
  'sample-destination-url': withTexts(
    'sampleDestination',
    async () =>
      (await import('./sample-destination-url/SampleDestinationScreen.tsx')).SampleDestinationScreen,
  ),
};

/**
 * The possible next pages, the likeliest first; prefetched while the visitor fills in the page. Site entry leads to a page
 * of the main chunk.
 */
const followers: Readonly<Partial<Record<Page, readonly Page[]>>> = {
  'choose-account': ['second-factor-required', 'select-site'],
  credentials: ['second-factor-required', 'select-site', 'password-reset-required'],
  elevate: ['second-factor-required'],
  'password-required': ['second-factor-required'],
  'second-factor-required': ['select-site', 'password-reset-required'],
  'password-reset-required': ['second-factor-required', 'select-site'],
  'select-site': ['password-required', 'second-factor-required', 'logged-out'],
  logout: ['logged-out'],
};

const chunks = createLazyChunks<Page, ComponentType>(included, lazyScreens);

/** Loads the screen of a page. Resolves when it can be rendered or has failed. */
export async function preloadScreen(page: Page | undefined): Promise<void> {
  if (page !== undefined) await chunks.load(page);
}

/** Loads all screens: for tests, so that no prefetch is in flight when their environment ends. */
export async function preloadAllScreens(): Promise<void> {
  await Promise.all([
    ...Object.keys(lazyScreens).map((page) => chunks.load(page as Page)),
    import('./error/copy-button-part.ts'),
  ]);
}

/**
 * Prefetches the next screens; a failed prefetch is repeated when the screen is needed. After a submission only the code
 * step, which can follow the answer at once: the answer would wait for the other files.
 */
export function prefetchFollowers(page: Page, isSubmitted?: boolean): void {
  for (const next of followers[page] ?? [])
    if (!isSubmitted || next === 'second-factor-required') chunks.prefetch(next);
}

/** The screen of a page that the store for the screens shows: it has been loaded. */
export const findScreen = chunks.find;

/** The flow for the screens (see `createShownStore`). */
export const toShown = (flow: Flow): Flow => ({ ...flow, store: createShownStore(flow.store, chunks) });
