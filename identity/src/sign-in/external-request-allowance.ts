import { createAllowances } from '../limits/allowances.ts';
import type { Services } from '../services.ts';

const windowSeconds = 10 * 60;

/** The limited requests, with the names of their counters. */
const counters = {
  redirect: 'external trip begin',
  'invalid response': 'external trip failed answer',
  'SAML message': 'SAML answer',
  'refused hand-over': 'refused hand-over',
} as const;

/** Limits requests per address that store a row or verify a signature without a session. Each kind is counted separately. */
export type ExternalRequestAllowance = {
  /** Returns undefined if the request is allowed, otherwise the seconds to wait. */
  take: (kind: keyof typeof counters, exchange: { address: string }) => Promise<number | undefined>;
};

export function createExternalRequestAllowance(
  services: Pick<Services, 'clock' | 'config' | 'database' | 'keys'>,
): ExternalRequestAllowance {
  const allowances = createAllowances({ ...services, keyRing: services.keys.limits });
  const limit = { count: services.config.external.tripsPerTenMinutes, windowSeconds };
  return { take: (kind, { address }) => allowances.take(counters[kind], { address }, limit) };
}
