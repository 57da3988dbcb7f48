import type { Locale } from '@anteroom/contract';
import type { Client } from './clients-store.ts';

/** Optional hints for the application that starts a sign-in. */
export type LoginHints = {
  loginHint?: string | undefined;
  /** The application page that the visitor requested (`findTargetLink`). */
  targetLink?: string | undefined;
  /**
   * The visitor's language. The standard defines no parameter for it, so the URL uses the name of our authorization
   * parameter.
   */
  locale?: Locale | undefined;
};

/**
 * The URL at which an application starts a sign-in at our request (OpenID Connect Core, 4). The application sends its
 * own authorization request to this region, so a response always comes from the issuer that received the request (RFC
 * 9700, 4.4).
 */
export function initiateLoginAddress(
  initiateLoginUri: string,
  issuer: string,
  { loginHint, targetLink, locale }: LoginHints,
): string {
  const url = new URL(initiateLoginUri);
  url.searchParams.set('iss', issuer);
  if (loginHint !== undefined) url.searchParams.set('login_hint', loginHint);
  if (targetLink !== undefined) url.searchParams.set('target_link_uri', targetLink);
  if (locale !== undefined) url.searchParams.set('ui_locales', locale);
  return url.href;
}

/** The length is limited because the link is part of a signed token in a URL. */
const targetLinkMaximumLength = 2000;

/**
 * The application page in `target_link_uri`. Only URLs on the origin of `initiate_login_uri` are accepted. This
 * service never requests the URL, and the application must validate it too (OpenID Connect Core, 4).
 */
export function findTargetLink(initiateLoginUri: string, said: string | undefined): string | undefined {
  const own = new URL(initiateLoginUri);
  const url = said === undefined || said.length > targetLinkMaximumLength ? null : URL.parse(said);
  if (url === null) return undefined;
  // The protocol is compared too, because the origin of `blob:https://…` is that of the URL after the colon.
  if (url.protocol !== own.protocol || url.origin !== own.origin) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return url.href.length > targetLinkMaximumLength ? undefined : url.href;
}

/** The URL that starts a sign-in at an application from a link outside it. */
export function findLoginAddress(
  { initiateLoginUri, homeUri }: Pick<Client, 'initiateLoginUri' | 'homeUri'>,
  issuer: string,
): string | undefined {
  return initiateLoginUri === undefined ? homeUri : initiateLoginAddress(initiateLoginUri, issuer, {});
}
