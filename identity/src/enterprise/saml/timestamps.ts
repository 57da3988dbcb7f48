import { SamlRefusal } from './refusal.ts';
import type { SamlRefusalReason } from './refusal.ts';

/** How far an identity provider's clock may be off ours (attacks and faults, F07). */
export const clockSkewSeconds = 60;
const skewMs = clockSkewSeconds * 1000;

/** UTC, as saml-core 1.3.3 wants it; the calendar's other spellings are other people's puzzles. */
const pattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/** @throws `time_malformed`, naming the attribute. */
export function parseTime(text: string | undefined, name: string): Date {
  const time = text !== undefined && pattern.test(text) ? new Date(text) : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) throw new SamlRefusal('time_malformed', name);
  return time;
}

export function findTime(text: string | undefined, name: string): Date | undefined {
  return text === undefined ? undefined : parseTime(text, name);
}

/** @throws `expired` from `notOnOrAfter` on, and what an identity provider's clock may be slow. */
export function requireNotOver(notOnOrAfter: Date, now: Date, name: string): void {
  if (now.getTime() >= notOnOrAfter.getTime() + skewMs) throw new SamlRefusal('expired', name);
}

export function requireBegun(notBefore: Date | undefined, now: Date, name: string): void {
  if (notBefore !== undefined && now.getTime() < notBefore.getTime() - skewMs)
    throw new SamlRefusal('not_yet_valid', name);
}

/**
 * An answer was made after its request and before now. It also finds an identity provider whose clock is slow: what it says is good
 * for some minutes would be long over, or not, by luck.
 */
export function requireIssuedBetween(issued: Date, requested: Date, now: Date, name: string): void {
  requireSince(issued, requested, name, 'issued_before_the_request');
  if (issued.getTime() > now.getTime() + skewMs) throw new SamlRefusal('issued_in_the_future', name);
}

export function requireSince(time: Date, earliest: Date, name: string, otherwise: SamlRefusalReason): void {
  if (time.getTime() < earliest.getTime() - skewMs) throw new SamlRefusal(otherwise, name);
}

/** Until when something that is good until `notOnOrAfter` must be remembered as used. */
export function rememberUntil(notOnOrAfter: Date): Date {
  return new Date(notOnOrAfter.getTime() + skewMs);
}
