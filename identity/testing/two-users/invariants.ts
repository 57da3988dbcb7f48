import type { AccountCall } from './account-calls.ts';
import type { SiteName } from './accounts.ts';
import type { Fact, Method, User } from './facts.ts';
import type { StatedMethod } from './stated-methods.ts';

// The rules that hold after each step. They know nothing of the service's own rules.

const ownFactors: readonly Method[] = ['sms', 'otp', 'passkey'];

/** The combinations of methods that reach each `acr`. */
const combinations: Record<string, readonly (readonly Method[])[]> = {
  'https://refeds.org/profile/mfa': [
    ['pwd', 'sms'],
    ['pwd', 'otp'],
    ['fed', 'sms'],
    ['fed', 'otp'],
    ['passkey'],
  ],
  'https://refeds.org/profile/sfa': [['pwd']],
  none: [['fed']],
};

const toMethod = (amr: string): Method =>
  amr === 'hwk' || amr === 'swk' || amr === 'user' ? 'passkey' : (amr as Method);

const has = (methods: readonly Method[], wanted: readonly Method[]): boolean =>
  wanted.some((method) => methods.includes(method));

/** Every method of a session was proved in its browser, at the time that the session states. */
export function requireProvedSession(user: User, stated: readonly StatedMethod[], facts: readonly Fact[]) {
  for (const { method, atSeconds } of stated) {
    const proved = facts.filter((fact) => fact.method === toMethod(method));
    if (proved.length === 0)
      throw new Error(`a session contains ${method}, which ${user.id} has not proved in this browser`);
    if (!proved.some((fact) => fact.fromSeconds <= atSeconds && atSeconds <= fact.toSeconds))
      throw new Error(`a session states a time of ${method} at which ${user.id} did not prove it`);
  }
  const methods = stated.map(({ method }) => toMethod(method));
  const latestSeconds = Math.max(...stated.map(({ atSeconds }) => atSeconds));
  if (!methods.includes('fed')) requireOwnProof(user, methods, latestSeconds, 'a session');
}

export type Claims = { sub: string; amr?: string[]; acr?: string; auth_time?: number; site?: string };

/**
 * Every method in an ID token was proved in its browser, `auth_time` is not later than the proofs that `acr` needs, and
 * the methods are sufficient for the site.
 */
export function requireProvedToken(user: User, claims: Claims, facts: readonly Fact[]): void {
  const { amr = [], acr = 'none', auth_time: authTime = Number.NaN, site } = claims;
  const methods = amr.filter((name) => name !== 'mfa').map(toMethod);
  for (const method of methods)
    if (!facts.some((fact) => fact.method === method))
      throw new Error(`a token contains ${method}, which ${user.id} has not proved in this browser`);
  if (!facts.some((fact) => fact.fromSeconds <= authTime && authTime <= fact.toSeconds))
    throw new Error('auth_time is not a time at which this user proved something in this browser');
  const isProvedSince = (method: Method): boolean =>
    methods.includes(method) && facts.some((fact) => fact.method === method && fact.toSeconds >= authTime);
  if (!(combinations[acr] ?? []).some((combination) => combination.every(isProvedSince)))
    throw new Error(`a token states an auth_time at which ${user.id} had not proved all that acr needs`);
  if (site === ('corp' satisfies SiteName)) {
    if (!methods.includes('fed')) throw new Error('corp was entered without its identity provider');
    return;
  }
  // After a fresh password, a token does not state an older factor, which the session still has.
  const ofSession = [...methods, ...facts.map(({ method }) => method)];
  requireOwnProof(user, ofSession, authTime, 'a token');
  if (site === ('summit' satisfies SiteName) && !has(ofSession, ownFactors))
    throw new Error('summit was entered without a second factor');
}

/** A password, with a second factor if the user had one; or a passkey. */
function requireOwnProof(user: User, methods: readonly Method[], atSeconds: number, what: string): void {
  if (!has(methods, ['pwd', 'passkey'])) throw new Error(`${what} without a password`);
  const hadFactor = user.factorSinceSeconds !== undefined && user.factorSinceSeconds < atSeconds;
  if (hadFactor && !has(methods, ownFactors))
    throw new Error(`${what} without a second factor, which ${user.id} has`);
}

/** How long a proof permits to change an account or to read it. */
const freshSeconds = 10 * 60;

/**
 * An account call was permitted: the user proved the own second factor in this browser in the last ten minutes, or the
 * password if the user had no second factor.
 */
export function requireFreshProof(
  call: AccountCall | 'enrol-app' | 'enrol-passkey',
  {
    hadFactor,
    beganAtSeconds,
    facts,
  }: { hadFactor: boolean; beganAtSeconds: number; facts: readonly Fact[] },
): void {
  const strongest = hadFactor ? ownFactors : (['pwd'] as const);
  const proved = facts.filter(({ method }) => has([method], strongest));
  const needed = hadFactor ? 'second factor' : 'password';
  if (proved.length === 0) throw new Error(`${call} was permitted without the user's own ${needed}`);
  if (!proved.some(({ toSeconds }) => beganAtSeconds - toSeconds <= freshSeconds))
    throw new Error(`${call} was permitted with a ${needed} that is older than ten minutes`);
}

/** After an identity provider alone, the account page shows only the site of that provider. */
export function requireLimitedAnswer(account: Record<string, unknown>): void {
  const { sites, sessions } = account as { sites: string[]; sessions: { site?: string | null }[] };
  const names = [...sites, ...sessions.flatMap(({ site }) => site ?? [])];
  if (names.some((name) => name !== 'Corp Industries'))
    throw new Error('the account page shows other sites to a user whom a company has authenticated');
}

/** Whether the answer contains what only a fresh proof may read. */
export function revealsFactors(account: Record<string, unknown>): boolean {
  return ['phoneNumber', 'passkeys', 'authenticatorApp', 'password'].some(
    (member) => account[member] !== undefined && account[member] !== null,
  );
}
