import { html } from './html.ts';
import type { Html } from './html.ts';
import type { Claims, Purpose, SignedIn } from './sessions.ts';

/** A message about the last action; `done`: the action that the user finished at the sign-in service. */
export type Notice = { title: string; text?: string; done?: Purpose };

/** A page in the frame of the portal. */
export function page(title: string, content: Html, signedIn?: SignedIn): string {
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
          ${signedIn && account(signedIn)}
        </header>
        <main>${content}</main>
        <footer>
          A small board portal that uses nothing but OpenID Connect.
          <a href="/go/console" data-action="console">Manage people and boards</a>
        </footer>
      </body>
    </html>`.markup;
}

/** The page before the sign-in, with the languages of the provider's pages and a notice about the last action. */
export function welcomePage(languages: readonly string[], notice?: Notice): string {
  const links = languages.map(
    (code) =>
      html`<li>
        <a href="/go/sign-in?language=${code}" lang="${code}" data-language="${code}"
          >${new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code}</a
        >
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

const actions: { action: string; address: string; text: string; detail: string }[] = [
  {
    action: 'switch-site',
    address: '/go/switch-site',
    text: 'Switch board',
    detail: 'Choose another board of yours',
  },
  {
    action: 'change-password',
    address: '/go/change-password',
    text: 'Change password',
    detail: 'For the sign-in to all your boards',
  },
  {
    action: 'elevate',
    address: '/go/elevate',
    text: 'Confirm it is you',
    detail: 'As before you sign a resolution',
  },
  { action: 'sign-out', address: '/sign-out', text: 'Sign out', detail: 'Here and at the sign-in service' },
];

/** The start page of a signed-in user. The claims are collapsed, because they are for developers. */
export function portalPage(signedIn: SignedIn, accountAddress: string, notice?: Notice): string {
  const { claims } = signedIn;
  const name = readText(claims, 'given_name') ?? readText(claims, 'name') ?? 'there';
  const place = readText(claims, 'site_name');
  const account = {
    action: 'account',
    address: accountAddress,
    text: 'Your account',
    detail: 'Where you are signed in, and what you sign in with',
  };
  const rows = [account, ...actions].map(
    ({ action, address, text, detail }) =>
      html`<li>
        <a class="row" href="${address}" data-action="${action}"
          ><span><strong>${text}</strong> <span class="detail">${detail}</span></span></a
        >
      </li>`,
  );
  return page(
    place ?? 'Your board',
    html`${notice && noticeBox(notice)}
      <section class="card">
        <p class="overline">${place}</p>
        <h1>Good to see you, ${name}</h1>
        <h2>Next meeting</h2>
        <a class="row" href="/agenda"
          ><span
            ><strong>Agenda</strong> <span class="detail">Minutes, budget and any other business</span></span
          ></a
        >
      </section>
      <section class="card">
        <h2>Your account</h2>
        <ul class="rows">
          ${rows}
        </ul>
      </section>
      <details class="card">
        <summary>What the sign-in told the portal</summary>
        <dl class="claims">${claimRows(claims)}</dl>
      </details>`,
    signedIn,
  );
}

/** A page inside the portal, as linked from an e-mail. */
export function agendaPage(signedIn: SignedIn, notice?: Notice): string {
  return page(
    'Agenda of the next meeting',
    html`${notice && noticeBox(notice)}
      <section class="card">
        <p class="overline">${readText(signedIn.claims, 'site_name')}</p>
        <h1>Agenda of the next meeting</h1>
        <ol class="agenda">
          <li>Minutes of the last meeting</li>
          <li>Budget</li>
          <li>Any other business</li>
        </ol>
        <p class="links">
          <a class="primary" href="/">Your board</a>
          <a href="/go/switch-site?target=/agenda" data-action="switch-site">Switch board</a>
        </p>
      </section>`,
    signedIn,
  );
}

/** The user menu at the end of the bar. */
function account({ claims }: SignedIn): Html {
  return html`<span class="account">${readText(claims, 'name') ?? readText(claims, 'email')}</span>`;
}

/** A failure, with a link to continue. */
export function messagePage(notice: Notice, signedIn?: SignedIn): string {
  const onwards =
    signedIn === undefined
      ? html`<a class="primary" href="/go/sign-in" data-action="sign-in">Sign in</a>`
      : html`<a class="primary" href="/">Your board</a>`;
  return page(
    notice.title,
    html`<section class="card hero">
      <h1>${notice.title}</h1>
      <p>${notice.text}</p>
      <p>${onwards}</p>
    </section>`,
    signedIn,
  );
}

function noticeBox({ title, text, done }: Notice): Html {
  const words = html`<strong>${title}</strong> ${text}`;
  return done === undefined
    ? html`<p class="notice" role="status">${words}</p>`
    : html`<p class="notice" role="status" data-done="${done}">${words}</p>`;
}

/** The claims that come first, because users understand them; technical claims follow. */
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
