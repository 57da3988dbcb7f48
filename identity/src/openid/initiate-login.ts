import type { Locale } from '@anteroom/contract';
import type { Client } from './clients-store.ts';

/** What an application is told of the visitor besides whom it is to ask; it can do without any of it. */
export type Beginning = {
  loginHint?: string | undefined;
  /** Where inside the application the visitor was on the way to (`findTargetLink`). */
  targetLink?: string | undefined;
  /** The language that the visitor reads: the standard has no word for it here, so it goes by its name in a request. */
  locale?: Locale | undefined;
};

/**
 * The address at which an application begins a sign-in because we ask it to (OpenID Connect Core, 4). It asks this region for
 * tokens with a request of its own: no answer ever comes from another issuer than the one that was asked (RFC 9700, 4.4).
 */
export function initiateLoginAddress(
  initiateLoginUri: string,
  issuer: string,
  { loginHint, targetLink, locale }: Beginning,
): string {
  const url = new URL(initiateLoginUri);
  url.searchParams.set('iss', issuer);
  if (loginHint !== undefined) url.searchParams.set('login_hint', loginHint);
  if (targetLink !== undefined) url.searchParams.set('target_link_uri', targetLink);
  if (locale !== undefined) url.searchParams.set('ui_locales', locale);
  return url.href;
}

/** It travels in a signed word and stands in an address. */
const targetLinkMaximumLength = 2000;

/**
 * The page of the application that somebody set out for, as its request to us said (`target_link_uri`). Only what stands where the
 * application begins a sign-in: we never go there ourselves, and the application must look at it as well (OpenID Connect Core, 4).
 */
export function findTargetLink(initiateLoginUri: string, said: string | undefined): string | undefined {
  const own = new URL(initiateLoginUri);
  const url = said === undefined || said.length > targetLinkMaximumLength ? null : URL.parse(said);
  if (url === null) return undefined;
  // `blob:https://…` has the origin of what stands behind the colon
  if (url.protocol !== own.protocol || url.origin !== own.origin) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return url.href.length > targetLinkMaximumLength ? undefined : url.href;
}

/** Where a sign-in at an application is begun by a link that is not the application's own. */
export function findBeginningOf(
  { initiateLoginUri, homeUri }: Pick<Client, 'initiateLoginUri' | 'homeUri'>,
  issuer: string,
): string | undefined {
  return initiateLoginUri === undefined ? homeUri : initiateLoginAddress(initiateLoginUri, issuer, {});
}
