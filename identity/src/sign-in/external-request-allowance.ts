import { createAllowances } from '../limits/allowances.ts';
import type { SignInServices } from './sign-in-services.ts';

const windowSeconds = 10 * 60;

/** What of trips one address may cause: each leaves a row, whether it succeeds or fails. */
export type ExternalRequestAllowance = {
  /** Answers undefined when there was one left, else the seconds until there is one again. */
  take: (what: 'begin' | 'failed answer', address: string) => Promise<number | undefined>;
};

export function createExternalRequestAllowance(services: SignInServices): ExternalRequestAllowance {
  const allowances = createAllowances({ ...services, keyRing: services.keys.limits });
  const limit = { count: services.config.external.tripsPerTenMinutes, windowSeconds };
  return {
    take: (what, address) => allowances.take(`external trip ${what}`, { address }, limit),
  };
}
