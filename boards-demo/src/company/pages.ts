import { html } from '../html.ts';
import type { Html } from '../html.ts';

/** A page of the company. It looks different from the product, to show that the user has left it. */
function page(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Corp Industries</title>
        <link rel="stylesheet" href="/company/company.css" />
        <link rel="icon" href="/mark.svg" type="image/svg+xml" />
      </head>
      <body>
        <header><p class="brand">Corp Industries</p></header>
        <main>${content}</main>
        <footer>A company’s own sign-in, here to show how one works. It is part of the demonstration.</footer>
      </body>
    </html>`.markup;
}

/** The sign-in page. `refused`: the previous input was wrong. */
export function signInPage(action: string, { email, refused }: { email: string; refused: boolean }): string {
  const error = html`<p class="error" id="refused" role="alert">
    The e-mail address or the password is incorrect.
  </p>`;
  return page(
    refused ? 'Error: sign in' : 'Sign in',
    html`<h1>Sign in to Corp Industries</h1>
      ${refused ? error : undefined}
      <form method="post" action="${action}">
        <label for="email">E-mail address</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          required
          value="${email}"
          ${described(refused)}
          ${focused(email === '')}
        />
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          ${described(refused)}
          ${focused(email !== '')}
        />
        <button type="submit">Sign in</button>
      </form>`,
  );
}

const described = (refused: boolean): Html =>
  refused ? html`aria-invalid="true" aria-describedby="refused"` : html``;
const focused = (first: boolean): Html => (first ? html`autofocus` : html``);

/**
 * The page that confirms a sign-out. `form`: the library's form, of which only the address and the anti-forgery value
 * are used.
 */
export function askToSignOutPage(form: string): string {
  const hidden = /action="([^"]*)".*name="xsrf" value="([^"]*)"/s.exec(form) ?? [];
  return page(
    'Sign out',
    html`<h1>Sign out of Corp Industries?</h1>
      <p>Services that you have opened with this account are told.</p>
      <form method="post" action="${hidden[1]}">
        <input type="hidden" name="xsrf" value="${hidden[2]}" />
        <button type="submit" name="logout" value="yes">Sign out</button>
        <button type="submit" class="quiet">Stay signed in</button>
      </form>`,
  );
}

export function messagePage(title: string, text: string): string {
  return page(
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>`,
  );
}
