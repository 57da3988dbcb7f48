/** The inline script of a page with a form: the form can be used before the application has loaded. */
import type { CallAnswer } from '@anteroom/contract';
import { storeUserName } from '../carried-user-name.ts';
import { withQuery } from '../query.ts';
import { parseSignInArrival } from './arrival.ts';
import { begin } from './begin.ts';
import { chooseShell, fillShell } from './fill-shell.ts';
import type { ShellSources } from './fill-shell.ts';

type Context = CallAnswer<'getAuthContext'>;
type Words = { error: { serverUnreachable: string } };
type Known = [Context, ShellSources['settings'], ShellSources['config'], ShellSources['words']];

const { early, answers, contextAddress, wordsAddress, request } = begin(
  parseSignInArrival(new URL(location.href)),
);
const { arrival } = early;
const { locale } = early.language;
const configAddress = '/ui/config.json';

if (answers[contextAddress]) {
  const context = answers[contextAddress] as Context;
  const settings = answers[settingsAddressOf(context)];
  show([context, settings, answers[configAddress], answers[wordsAddress]] as Known);
  // React takes more time than the form: the files are requested with its first frame, and evaluated after it.
  requestAnimationFrame(() => {
    requestApplication();
    (window.requestIdleCallback ?? setTimeout)(loadAhead);
  });
} else {
  // The service has sent the page without answers.
  requestKnown().then(show, () => {});
  loadAhead();
}

function settingsAddressOf({ defaultSite, returnUrl }: Context): string {
  return withQuery('/api/ui/auth/settings/site', {
    returnUrl: arrival.returnUrl ?? returnUrl ?? undefined,
    site: defaultSite ?? undefined,
  });
}

function requestApplication(): void {
  document.head.append(document.querySelector<HTMLTemplateElement>('[data-application]')?.content ?? '');
}

/**
 * Evaluates the application's files one by one, each in a task of its own.
 * @throws if one cannot be loaded
 */
async function loadApplication(): Promise<void> {
  requestApplication();
  for (const { href } of document.querySelectorAll<HTMLLinkElement>('[rel=modulepreload]'))
    await import(/* @vite-ignore */ href);
}

/** A failure shows when the visitor needs the application. */
function loadAhead(): void {
  loadApplication().catch(() => {});
}

/** Requests the answers of the first screen. The application takes those that it does not know yet. */
function requestKnown(): Promise<Known> {
  const read = (response: Response): unknown => (response.ok ? response.clone().json() : Promise.reject());
  const ask = (address: string, query = ''): unknown =>
    (answers[address] = request(address + query).then(read));
  const contextRead = early.authContext?.then(read) as Promise<Context>;
  return Promise.all([
    contextRead,
    contextRead.then(
      (context) =>
        URL.parse(context.identityServiceUrl ?? '')?.origin === location.origin &&
        ask(settingsAddressOf(context)),
    ),
    ask(configAddress, `?t=${Date.now()}`),
    early.messages.then(read),
  ]) as Promise<Known>;
}

/** Shows the form if it equals the first screen. */
function show([context, settings, config, words]: Known): void {
  const root = document.getElementById('root');
  const sources = { arrival, locale, context, settings, config, words };
  const name = chooseShell(sources);
  const template = document.querySelector<HTMLTemplateElement>(
    `template[data-shell="${name}"][lang="${locale}"]`,
  );
  if (!root || !template) return;
  const { dataset, content, dir } = template;
  fillShell(content, sources);
  document.documentElement.lang = locale;
  document.documentElement.dir = dir;
  document.title = dataset['title'] ?? '';
  root.dataset['shell'] = '';
  root.append(content);
  // The splash follows this script in the document; its styles hide it beside a form.
  const removeSplash = (): void => document.querySelector('[data-splash]')?.remove();
  removeSplash();
  document.addEventListener('DOMContentLoaded', removeSplash);
  // A focus at once would compute the layout twice.
  requestAnimationFrame(() => root.querySelector('input')?.focus());
  const repeatActions = keepActions(root, (words as Words).error.serverUnreachable);
  early.endShell = () => {
    delete root.dataset['shell'];
    repeatActions();
  };
}

/** Controls that need the loaded application. All other links have an address of their own. */
const applicationControls = 'button[type=button], [data-action=back-to-site]';

/**
 * Records the visitor's clicks until the application has started, and shows their effect where it does not need the
 * application: the button of a submitted form shows progress, and the password is shown or hidden. Returns a function
 * that stops recording and repeats the clicks in order.
 */
function keepActions(root: HTMLElement, unreachable: string): () => void {
  const kept: HTMLElement[] = [];
  const line = [...root.querySelectorAll('[id$=-message]')].pop() as Element;
  let failures = 0;
  const end = new AbortController();
  const { signal } = end;
  const keep = (control: HTMLElement): void => {
    kept.push(control);
    // React takes over the form only if it is unchanged.
    line.textContent = '';
    loadApplication().catch(() => {
      root.dataset['shell'] = '';
      line.textContent = unreachable;
      if (!failures++) return;
      // Some browsers request a missing file only once: the page starts again, with the name that was typed.
      storeUserName(root.querySelector<HTMLInputElement>('[name=userName]')?.value ?? '');
      location.reload();
    });
  };
  document.addEventListener(
    'click',
    (event) => {
      const control = (event.target as Element).closest<HTMLElement>(applicationControls);
      // The browser handles a click that opens a new tab or window.
      if (!control || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      togglePassword(control);
      keep(control);
    },
    { signal },
  );
  document.addEventListener(
    'submit',
    (event) => {
      event.preventDefault();
      const button = root.querySelector<HTMLElement>('[type=submit]');
      if (!button || root.dataset['shell']) return;
      // not at the button, whose attributes React compares
      root.dataset['shell'] = 'kept';
      keep(button);
    },
    { signal },
  );
  return () => {
    end.abort();
    for (const control of kept) {
      // The application begins with a hidden password.
      togglePassword(control);
      control.click();
    }
  };
}

/** Shows or hides the password, if the control is the button for it. The application adds the button's new name. */
function togglePassword(control: HTMLElement): void {
  const field = document.querySelector<HTMLInputElement>('[name=password]');
  if (field && control.dataset['action'] === 'show-password')
    field.type = field.type === 'text' ? 'password' : 'text';
}
