/** All addresses of the application. */

import type { SignOutPage } from './flow/effects.ts';
import { withQuery } from './query.ts';

/** The base path of the front end (wire contract, "Where things live"). */
const base = '/ui/';

/** The pages of the recovery links. */
export const recoveryPages = ['forgotten-password', 'new-password', 'not-me', 'forgotten-site'] as const;
export type RecoveryPage = (typeof recoveryPages)[number];

export const paths = {
  login: (returnUrl: string | undefined): string =>
    withQuery(`${base}account/login`, { ReturnUrl: returnUrl }),
  /** A recovery page, with the parameters about the requesting client. */
  recovery: (page: RecoveryPage, query: Record<string, string | undefined>): string =>
    withQuery(`${base}recovery/${page}`, query),
  /** The account page, with the application to which it links back. */
  account: (refererClientId: string | undefined): string => withQuery(`${base}account`, { refererClientId }),
  error: (): string => `${base}home/error`,
  signOut: (page: SignOutPage, search: string): string => `${base}${page}${search}`,
  icon: (name: string, version: string): string => `${base}assets/icons/${name}.svg?v=${version}`,
};

/** The route below the base path, without a trailing slash; undefined for other paths. */
export function findRoute(pathname: string): string | undefined {
  return pathname.startsWith(base) ? pathname.slice(base.length).replace(/\/+$/, '') : undefined;
}
