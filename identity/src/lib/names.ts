import { domainToASCII, domainToUnicode } from 'node:url';
import { typedName } from '@anteroom/contract/typed-names';
import { typedSignInName } from '@anteroom/contract/typed-text';

// The normalisation of names that people type or paste: names of sites, users and e-mail domains.

/** Characters that no reader sees: format characters, other default-ignorable characters, and white space. */
const invisible = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const allInvisible = new RegExp(`${invisible.source}+`, 'gu');

/** Names the first invisible character of a name, such as `U+200B`. Plain spaces are accepted. */
export function findInvisible(name: string): string | undefined {
  const [found] = invisible.exec(name.replaceAll(' ', '')) ?? [];
  if (found === undefined) return undefined;
  return `U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Folds case. `toLowerCase` alone turns the Turkish capital İ into i and a combining dot, and the Greek Σ into one of
 * two letters.
 */
function fold(text: string): string {
  return text.toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ς', 'σ').normalize('NFKC');
}

/** Normalises a site name: surrounding spaces and case do not matter. */
export function siteNameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/**
 * The site names that an operator's input may mean, the literal text first. It also has invisible characters, which
 * stored names of an earlier release can have.
 */
export function siteNameKeys(name: string): string[] {
  const key = siteNameKey(name);
  return [...new Set([key, typedName(key)])];
}

/** Normalises a display name: case, spacing and invisible characters do not matter. */
export function displayNameKey(displayName: string): string {
  return fold(displayName.normalize('NFKC')).replaceAll(allInvisible, '');
}

/** At least two labels of valid characters. */
const host = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;

/**
 * The site names that a visitor's input may mean besides the literal text, the likeliest first: the text without inner
 * spaces and, for a URL or host name, the host with and without its domain endings (`https://harbor.co.example/` gives
 * `harbor.co.example`, `harbor.co` and `harbor`).
 */
export function candidateSiteNames(typed: string): string[] {
  const address = siteNameKey(typedName(typed))
    .replace(/^https?:\/\//, '')
    .replace(/(?::\d+)?\.?(?:[/?#].*)?$/s, '')
    .replace(/^www\./, '');
  const labels = host.test(address) ? address.split('.') : [address];
  const withoutEndings = labels.map((_, index) => labels.slice(0, labels.length - index).join('.'));
  return [...new Set([displayNameKey(typed), ...withoutEndings])];
}

/** Text after a domain of letters would be interpreted as a port, path or encoded character. */
const international = /^(?=.*[^\p{ASCII}])[\p{L}\p{N}\p{M}.。・·-]+$/u;

/**
 * Normalises a domain: invisible characters and case do not matter, and an internationalised domain has its ASCII form
 * (`münchen.example` is `xn--mnchen-3ya.example`).
 */
export function domainKey(domain: string): string {
  const key = fold(domain.normalize('NFKC').replaceAll(allInvisible, ''));
  return international.test(key) ? domainToASCII(key) || key : key;
}

/** A domain as people read it; the text itself if it is not the ASCII form of an internationalised domain. */
export function readableDomain(domain: string): string {
  return domain.includes('xn--') ? domainToUnicode(domain) || domain : domain;
}

/**
 * Normalises a sign-in name: case, full-width letters of an Asian keyboard, white space and invisible characters do not
 * matter, and a domain has its ASCII form. The limits count all variants as one user (attacks and faults, S33).
 */
export function signInNameKey(name: string): string {
  const typed = typedSignInName(name);
  const at = typed.lastIndexOf('@');
  return at < 0 ? fold(typed) : `${fold(typed.slice(0, at))}@${domainKey(typed.slice(at + 1))}`;
}
