import { SamlRefusal } from './refusal.ts';
import type { SamlRefusalReason } from './refusal.ts';

/** The tolerated clock difference to an identity provider (attacks and faults, F07). */
export const clockSkewSeconds = 60;
const skewMs = clockSkewSeconds * 1000;

/** UTC, as saml-core, 1.3.3, requires; other ISO 8601 formats are rejected. */
const pattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/** @throws `time_malformed`, naming the attribute */
export function parseTime(text: string | undefined, name: string): Date {
  const time = text !== undefined && pattern.test(text) ? new Date(text) : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) throw new SamlRefusal('time_malformed', name);
  return time;
}

export function findTime(text: string | undefined, name: string): Date | undefined {
  return text === undefined ? undefined : parseTime(text, name);
}

/** @throws `expired` after `notOnOrAfter` plus the clock tolerance */
export function requireNotOver(notOnOrAfter: Date, now: Date, name: string): void {
  if (now.getTime() >= notOnOrAfter.getTime() + skewMs) throw new SamlRefusal('expired', name);
}

export function requireBegun(notBefore: Date | undefined, now: Date, name: string): void {
  if (notBefore !== undefined && now.getTime() < notBefore.getTime() - skewMs)
    throw new SamlRefusal('not_yet_valid', name);
}

/**
 * Requires that a response was issued after its request and before now. This also detects an identity provider whose
 * clock is slow, whose assertions would otherwise fail only sometimes.
 */
export function requireIssuedBetween(issued: Date, requested: Date, now: Date, name: string): void {
  requireSince(issued, requested, name, 'issued_before_the_request');
  if (issued.getTime() > now.getTime() + skewMs) throw new SamlRefusal('issued_in_the_future', name);
}

export function requireSince(time: Date, earliest: Date, name: string, otherwise: SamlRefusalReason): void {
  if (time.getTime() < earliest.getTime() - skewMs) throw new SamlRefusal(otherwise, name);
}

/** Until when a message that is valid until `notOnOrAfter` must be remembered as used. */
export function rememberUntil(notOnOrAfter: Date): Date {
  return new Date(notOnOrAfter.getTime() + skewMs);
}
