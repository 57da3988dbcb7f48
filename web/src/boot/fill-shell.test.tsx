// @vitest-environment happy-dom
import { supportedLocales } from '@anteroom/contract';
import type { AuthContext } from '@anteroom/contract';
import { expect, onTestFinished, test } from 'vitest';
import { contextOf, drawApp, returnUrl } from '../screens/testing/draw-app.tsx';
import { requireMessages } from '../ui/testing/draw.tsx';
import { chooseShell, fillShell } from './fill-shell.ts';
import type { ShellSources } from './fill-shell.ts';
import { parseArrival } from './arrival.ts';
import type { ParsedArrival } from './arrival.ts';
import { renderShell } from './render-shells.tsx';

const config = {
  globalSupportUrl: 'https://help.example/',
  privacyPolicyBaseUrl: 'https://help.example/privacy',
};

const arrivalAt = (address: string): ParsedArrival => parseArrival(new URL(address, location.origin));

const signInAddress = `/ui/account/login?${new URLSearchParams({ ReturnUrl: returnUrl, skip_splash: '' })}`;

function sourcesOf(changes: Partial<AuthContext>, more: Partial<ShellSources> = {}): ShellSources {
  return {
    arrival: arrivalAt(signInAddress),
    locale: 'en',
    context: contextOf(changes),
    settings: { allowPasswordEntry: true },
    config,
    words: requireMessages(more.locale ?? 'en'),
    ...more,
  };
}

/** The filled shell that fits. */
function findShell(sources: ShellSources): Element | undefined {
  const name = chooseShell(sources);
  const { context } = sources;
  if (name === undefined || !context) return undefined;
  const place = document.createElement('div');
  place.innerHTML = renderShell(name, sources.locale, requireMessages(sources.locale));
  const template = place.querySelector('template');
  if (!template) throw new Error(`No shell ${name}`);
  fillShell(template.content, { ...sources, context });
  const shell = document.createElement('div');
  shell.append(template.content);
  return shell;
}

/** Lists elements, attributes and texts, without the ids that React generates. */
function read(root: Element): string[] {
  return [...root.querySelectorAll('*')].map((element) => {
    const attributes = element
      .getAttributeNames()
      .map((name) => `${name.toLowerCase()}=${element.getAttribute(name)?.replaceAll(/_[rR]_\w+?_/g, 'id')}`)
      .toSorted();
    const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    return `${element.tagName} ${attributes.join(' ')} ${texts.map(({ textContent }) => textContent).join('')}`;
  });
}

/** Renders the first screen of the application. */
async function drawFirst({
  arrival,
  locale,
  context,
  settings,
  config: known,
}: ShellSources): Promise<string[]> {
  if (arrival.entry.kind === 'standalone' || !context || !known) throw new Error('No sign-in');
  await drawApp(
    { ...arrival, entry: arrival.entry },
    [
      { type: 'CONFIG_LOADED', config: known },
      { type: 'CONTEXT_LOADED', context: context as AuthContext },
      ...(settings && context.defaultSite
        ? [{ type: 'SITE_SETTINGS_LOADED', answer: settings } as const]
        : []),
    ],
    locale,
  );
  const root = document.querySelector('main')?.closest('body > div');
  if (!root) throw new Error('Nothing is rendered');
  return read(root);
}

const organisation = { defaultSiteDisplayName: 'Acme <Trust>', defaultSiteLogoPath: '/logos/acme.svg' };
const siteEntry = { defaultSite: undefined };

test.each<[string, Partial<AuthContext>, Partial<ShellSources>?]>([
  ['site entry', siteEntry],
  [
    'site entry with an address for recovery',
    { ...siteEntry, siteRecoveryClientUri: 'https://app.example/sites?a=b' },
  ],
  ['site entry without an address of the service', { ...siteEntry, identityServiceUrl: undefined }],
  ['a site', {}],
  ['a named organisation', organisation],
  ['a named organisation without a logo', { ...organisation, defaultSiteLogoPath: undefined }],
  [
    'a named organisation with an unsafe logo',
    { ...organisation, defaultSiteLogoPath: 'javascript:alert(1)' },
  ],
  ['a fixed site', { ...organisation, allowDefaultSiteEntry: false }],
  ['a hint of the user name', { ...organisation, loginHint: 'ada"<b>' }],
  [
    'a user name from a recovery page',
    { ...organisation, loginHint: 'adda' },
    { arrival: { ...arrivalAt(signInAddress), enteredUserName: 'ada' } },
  ],
  ['no recovery', { ...organisation, forgotPasswordUrl: undefined }],
  ['an unsafe address for recovery', { ...organisation, forgotPasswordUrl: 'javascript:alert(1)' }],
  ['no support and no privacy policy', organisation, { config: {} }],
  ['the user name alone', organisation, { settings: { allowPasswordEntry: false } }],
  ...supportedLocales.map((locale): [string, Partial<AuthContext>, Partial<ShellSources>] => [
    `the language ${locale}`,
    organisation,
    { locale },
  ]),
])('with %s, the shell equals the first screen', async (_, changes, more) => {
  const sources = sourcesOf(changes, more);
  const shell = findShell(sources);
  expect(shell && read(shell)).toEqual(await drawFirst(sources));
});

const noSession = { state: 'none', isExternallyAuthenticated: false } as const;

test.each<[string, Partial<AuthContext>, Partial<ShellSources>?]>([
  ['a prompt', { promptMethod: 'switch_tenant' }],
  ['a session', { session: { ...noSession, state: 'valid', authSite: 'acme' } }],
  ['an ended session, of which a notice tells', { session: { ...noSession, state: 'expired' } }],
  ['a finished sign-in', { finishedLocation: 'https://app.example/' }],
  ['a choice of the site', { selectSite: true }],
  ['a known user name', { userName: 'ada' }],
  ['no entry of the user name', { allowUserNameEntry: false }],
  ['a sign-in again', { reauthRequested: true }],
  ['a branding', { branding: { productName: 'Boards' } }],
  [
    'an application that hides links',
    { loginFlowCustomizations: { languageSelectionAndLinksDisabled: true } },
  ],
  ['no safe address of the service', { identityServiceUrl: 'javascript:alert(1)' }],
  ['no site and no entry of one', { defaultSite: undefined, allowDefaultSiteEntry: false }],
  ['a site whose settings are not in the page', {}, { settings: undefined }],
  ['no answers in the page', {}, { context: undefined }],
  ['no configuration in the page', {}, { config: undefined }],
  ['no texts in the page', {}, { words: undefined }],
  ['the splash', {}, { arrival: arrivalAt('/ui/account/login') }],
  ['another page', {}, { arrival: arrivalAt('/ui/home/version?skip_splash') }],
])('with %s, there is no shell', (_, changes, more) => {
  expect(chooseShell(sourcesOf(changes, more))).toBeUndefined();
});

test('there is no shell if a notice from another page is stored', () => {
  document.cookie = 'anteroom_notice=1';
  onTestFinished(() => void (document.cookie = 'anteroom_notice=; max-age=0'));
  expect(chooseShell(sourcesOf({}))).toBeUndefined();
});
