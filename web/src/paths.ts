/** Every address of the application, as functions. */

import type { SignOutPage } from './flow/effects.ts';

/** Where the front end is served (wire contract, "Where things live"). */
const base = '/ui/';

/** The pages that recovery links lead to. */
export const recoveryPages = ['forgotten-password', 'new-password', 'not-me', 'forgotten-site'] as const;
export type RecoveryPage = (typeof recoveryPages)[number];

/** The query of an address inside the application; what is undefined is left out. */
function withQuery(path: string, query: Record<string, string | undefined>): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const search = new URLSearchParams(entries).toString();
  return `${base}${path}${search && `?${search}`}`;
}

export const paths = {
  login: (returnUrl: string | undefined): string => withQuery('account/login', { ReturnUrl: returnUrl }),
  /** A recovery page, with what the visitor's address said of where they came from. */
  recovery: (page: RecoveryPage, query: Record<string, string | undefined>): string =>
    withQuery(`recovery/${page}`, query),
  error: (): string => withQuery('home/error', {}),
  signOut: (page: SignOutPage, search: string): string => `${base}${page}${search}`,
  icon: (name: string, version: string): string => `${base}assets/icons/${name}.svg?v=${version}`,
};

/** The part of a path below the base, without a slash at its end; undefined when the path is not below it. */
export function findRoute(pathname: string): string | undefined {
  return pathname.startsWith(base) ? pathname.slice(base.length).replace(/\/+$/, '') : undefined;
}
