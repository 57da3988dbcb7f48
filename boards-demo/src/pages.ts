import { html } from './html.ts';
import type { Html } from './html.ts';
import type { Claims, PortalSession, Purpose } from './sessions.ts';

export type Notice = { title: string; text: string };

/** What stands behind the address of the privacy policy in each language; in English nothing does. */
export const privacySuffixes = ['de', 'es', 'fr', 'it', 'nl', 'pt-br', 'zh-hans', 'ja', 'ar', 'he'];

/** The languages of the sign-in pages, each by its own name. */
export const languages: Record<string, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  pt: 'Português',
  zh: '中文',
  ja: '日本語',
  ar: 'العربية',
  he: 'עברית',
};

/** A page in the portal's frame. */
export function page(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Boards demo</title>
        <link rel="stylesheet" href="/portal.css" />
        <link rel="icon" href="/mark.svg" type="image/svg+xml" />
      </head>
      <body>
        <header class="bar">
          <a class="brand" href="/"><img src="/mark.svg" alt="" width="28" height="28" />Boards demo</a>
        </header>
        <main>${content}</main>
        <footer>
          A small board portal that knows nothing but OpenID Connect. It shows what a sign-in brought it.
        </footer>
      </body>
    </html>`.markup;
}

/** Before anybody is signed in; a notice tells what has just happened. */
export function welcomePage(notice?: Notice): string {
  const links = Object.entries(languages).map(
    ([code, name]) =>
      html`<li>
        <a href="/go/sign-in?language=${code}" lang="${code}" data-language="${code}">${name}</a>
      </li>`,
  );
  return page(
    'Welcome',
    html`${notice && noticeBox(notice)}
      <section class="card hero">
        <h1>The boardroom is this way</h1>
        <p>Sign in to see your boards. You will be asked for your organisation first.</p>
        <p><a class="primary" href="/go/sign-in" data-action="sign-in">Sign in</a></p>
        <details>
          <summary>Sign in in another language</summary>
          <ul class="languages">
            ${links}
          </ul>
        </details>
      </section>`,
  );
}

const done: Record<Purpose, string> = {
  'sign-in': 'You are signed in.',
  'switch-site': 'This is the board you chose.',
  'change-password': 'Your password has been changed.',
  elevate: 'You have confirmed that it is you.',
};

const actions: { action: string; address: string; text: string; detail: string }[] = [
  {
    action: 'switch-site',
    address: '/go/switch-site',
    text: 'Switch board',
    detail: 'Choose another site of yours',
  },
  {
    action: 'change-password',
    address: '/go/change-password',
    text: 'Change password',
    detail: 'Whenever you like',
  },
  {
    action: 'elevate',
    address: '/go/elevate',
    text: 'Confirm it is you',
    detail: 'As before a vote is signed',
  },
  { action: 'sign-out', address: '/sign-out', text: 'Sign out', detail: 'Here and at the sign-in service' },
];

/** What somebody sees who is signed in: the claims, and every other journey. */
export function portalPage({ claims, lastPurpose }: NonNullable<PortalSession['signedIn']>): string {
  const name = readText(claims, 'given_name') ?? readText(claims, 'name') ?? 'there';
  const place = readText(claims, 'site_name');
  const cards = actions.map(
    ({ action, address, text, detail }) =>
      html`<li>
        <a class="action" href="${address}" data-action="${action}"
          ><strong>${text}</strong><span>${detail}</span></a
        >
      </li>`,
  );
  return page(
    place ?? 'Your board',
    html`<p class="done" role="status" data-done="${lastPurpose}">${done[lastPurpose]}</p>
      <section class="card">
        <p class="overline">${place}</p>
        <h1>Good to see you, ${name}</h1>
        <ul class="actions">
          ${cards}
        </ul>
        <p><a href="/agenda">Agenda of the next meeting</a></p>
      </section>
      <section class="card">
        <h2>What the portal knows about you</h2>
        <dl class="claims">${claimRows(claims)}</dl>
      </section>`,
  );
}

/** A page deep within the portal, as a mail would lead to it. */
export function agendaPage({ claims }: NonNullable<PortalSession['signedIn']>): string {
  const place = readText(claims, 'site_name');
  return page(
    'Agenda of the next meeting',
    html`<section class="card hero">
      <p class="overline">${place}</p>
      <h1>Agenda of the next meeting</h1>
      <p>Minutes of the last meeting, the budget, any other business.</p>
      <p>
        <a class="primary" href="/go/switch-site?target=/agenda" data-action="switch-site">Switch board</a>
        <a href="/">Your board</a>
      </p>
    </section>`,
  );
}

/** Something did not work; there is always a way on. */
export function messagePage(notice: Notice): string {
  return page(
    notice.title,
    html`<section class="card hero">
      <h1>${notice.title}</h1>
      <p>${notice.text}</p>
      <p><a class="primary" href="/go/sign-in" data-action="sign-in">Sign in</a></p>
    </section>`,
  );
}

function noticeBox({ title, text }: Notice): Html {
  return html`<p class="notice" role="status"><strong>${title}</strong> ${text}</p>`;
}

/** What a person cares about comes first, what only a machine does after it. */
const leadingClaims = ['name', 'email', 'site_name', 'site', 'parent_site', 'amr', 'auth_time'];

function claimRows(claims: Claims): Html[] {
  const rest = Object.keys(claims).filter((name) => !leadingClaims.includes(name));
  return [...leadingClaims.filter((name) => name in claims), ...rest.toSorted()].map(
    (name) =>
      html`<div>
        <dt>${name}</dt>
        <dd data-claim="${name}">${toText(claims[name])}</dd>
      </div>`,
  );
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(String).join(' ') : JSON.stringify(value);
}

function readText(claims: Claims, name: string): string | undefined {
  const value = claims[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
