import { factors } from '../factors/factors.ts';
import type { AuthenticationMethod, ProvedMethod } from './session.ts';

type Context = { acr: string; combinations: readonly (readonly AuthenticationMethod[])[] };

/** The `acr` that requires a second factor. */
export const secondFactorAcr = 'https://refeds.org/profile/mfa';

/**
 * Authentication contexts (`acr`), the strongest first, with the combinations of methods (`amr`, RFC 8176) that reach
 * them. The names are those of REFEDS. A federated sign-in alone reaches no context, because the service does not know
 * which factors the identity provider required.
 */
const contexts: readonly Context[] = [
  {
    acr: secondFactorAcr,
    combinations: Object.values(factors).flatMap(({ strength, method }): AuthenticationMethod[][] => {
      if (strength === 'alone') return [[method]];
      return strength === 'weak'
        ? []
        : [
            ['pwd', method],
            ['fed', method],
          ];
    }),
  },
  { acr: 'https://refeds.org/profile/sfa', combinations: [['pwd']] },
];

/** How long a proof is fresh: in a sign-in without a session, and for a call that requires a recent proof (attacks and faults, S25). */
export const freshSeconds = 10 * 60;

export function isFresh(provedAt: Date, now: Date): boolean {
  return now.getTime() - provedAt.getTime() <= freshSeconds * 1000;
}

export function listFresh(methods: readonly ProvedMethod[], now: Date): ProvedMethod[] {
  return methods.filter(({ at }) => isFresh(at, now));
}

/** When the user last proved anything. */
export function findLatest(methods: readonly ProvedMethod[]): Date | undefined {
  return methods.map(({ at }) => at).toSorted((one, other) => other.getTime() - one.getTime())[0];
}

/** Joins methods; each keeps its latest time. */
export function joinMethods(...lists: readonly (readonly ProvedMethod[])[]): ProvedMethod[] {
  const latest = new Map<AuthenticationMethod, Date>();
  for (const { method, at } of lists.flat()) {
    const present = latest.get(method);
    if (present === undefined || present < at) latest.set(method, at);
  }
  return Array.from(latest, ([method, at]) => ({ method, at }));
}

/** Whether the methods stand for a password: the password itself, or a factor that needs none. */
export function hasFirstFactor(methods: readonly ProvedMethod[]): boolean {
  return methods.some(
    ({ method }) =>
      method === 'pwd' ||
      Object.values(factors).some((factor) => factor.strength === 'alone' && factor.method === method),
  );
}

/** The values that a client can request with `acr_values`. */
export const acrValues: readonly string[] = contexts.map(({ acr }) => acr);

/** A reached context, and when the oldest method that it needs was proved. */
type Reached = { acr: string; at: Date };

/** The contexts that the methods reach, the strongest first. */
function listReached(methods: readonly ProvedMethod[]): Reached[] {
  return contexts.flatMap(({ acr, combinations }) => {
    const times = combinations.flatMap((combination) => {
      const proved = combination.flatMap((name) => methods.find(({ method }) => method === name) ?? []);
      const oldest = Math.min(...proved.map(({ at }) => at.getTime()));
      return proved.length === combination.length ? [oldest] : [];
    });
    return times.length === 0 ? [] : [{ acr, at: new Date(Math.max(...times)) }];
  });
}

/** The strongest context that the methods reach. */
export function findAcr(methods: readonly ProvedMethod[]): string | undefined {
  return listReached(methods)[0]?.acr;
}

/** Whether the methods reach the context of a second factor. */
export function reachesSecondFactor(methods: readonly ProvedMethod[]): boolean {
  return findAcr(methods) === secondFactorAcr;
}

/** When the older of the methods was proved that reach a second factor; undefined if they do not. */
export function findSecondFactorTime(methods: readonly ProvedMethod[]): Date | undefined {
  return listReached(methods).find(({ acr }) => acr === secondFactorAcr)?.at;
}

/** What a token states: `at` is its `auth_time`. Nothing in `amr` was stale then. */
export type Assurance = { acr: string | undefined; amr: string[]; at: Date };

/**
 * What the methods of a session are worth. After a proof in this sign-in (`freshAt`: now) the strongest context counts
 * that is fresh as a whole, so that a fresh password makes an old code no younger; otherwise the strongest context, with
 * its age.
 */
export function describeAssurance(
  methods: readonly ProvedMethod[],
  { freshAt }: { freshAt?: Date | undefined } = {},
): Assurance {
  const reached = listReached(methods);
  const found = (freshAt && reached.find(({ at }) => isFresh(at, freshAt))) ?? reached[0];
  const at = found?.at ?? findLatest(methods);
  if (at === undefined) throw new Error('a session without methods states nothing');
  const counted = methods.filter((proved) => isFresh(proved.at, at)).map(({ method }) => method);
  const also = Object.values(factors)
    .filter(({ method }) => counted.includes(method))
    .flatMap(({ alsoAmr }) => alsoAmr);
  return { acr: found?.acr, amr: [...counted, ...new Set(also)], at };
}

/** Whether a context is the requested one or a stronger one. */
export function reachesAcr(acr: string | undefined, requested: string): boolean {
  const rank = acrValues.indexOf(requested);
  return acr !== undefined && rank >= 0 && acrValues.indexOf(acr) <= rank && acrValues.includes(acr);
}
