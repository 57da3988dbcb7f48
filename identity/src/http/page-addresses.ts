import type { IncomingHttpHeaders } from 'node:http';
import type { PageRoute } from '@anteroom/contract/page-routes';

/** Paths of front-end pages to which the service redirects or links in e-mails. */
export const paths = {
  home: '/ui/',
  signIn: '/ui/account/login',
  signOut: '/ui/account/logout',
  signedOut: '/ui/account/logged-out',
  passkey: '/ui/account/passkey',
  account: '/ui/account',
  forgottenPassword: '/ui/recovery/forgotten-password',
  newPassword: '/ui/recovery/new-password',
  notMe: '/ui/recovery/not-me',
  forgottenSite: '/ui/recovery/forgotten-site',
  error: '/ui/home/error',
  requireVerifiedEmail: '/ui/home/require-verified-login-email',
  openSite: '/recovery/open-site',
} as const satisfies Record<string, `/ui/${PageRoute}` | '/recovery/open-site'>;

/** The URL of a page. It is based on the configured URL, never on the request's host (attacks and faults, S05). */
export function pageAddress(
  publicUrl: string,
  page: keyof typeof paths,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const url = new URL(paths[page], publicUrl);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}

/** The error id for a rate-limited visitor. It has no error record, so that a rate-limited request stores nothing. */
export const rateLimitErrorId = 'rate_limit_reached';

export const rateLimitPage = `${paths.error}?errorId=${rateLimitErrorId}`;

/** Whether the browser shows the response as a page, as opposed to a response for a script. */
export function isNavigation({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.includes('text/html');
}
