import type { CallAnswer } from '@anteroom/contract';
import { noteRefusal } from '../audit/audit.ts';
import { codeValidityMinutes } from '../factors/code-limits.ts';
import type { Challenge, Factor } from '../factors/factor.ts';
import { listAskable, listFactors } from '../factors/factors.ts';
import type { Knows } from '../factors/factors.ts';
import type { CodeCheck, FactorSubject } from '../factors/one-time-codes.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Attempt } from '../limits/limits.ts';
import { findClient } from '../provider/clients-store.ts';
import { isSecondFactorRequested } from '../provider/requested-acr.ts';
import type { Services } from '../services.ts';
import { isFresh } from '../sessions/assurance.ts';
import type { Site } from '../sites/sites-store.ts';
import type { SignInServices } from './sign-in-services.ts';
import type { SignIn } from './sign-ins-store.ts';
import { findVisit, knowsOf } from './visit.ts';
import type { Visit } from './visit.ts';

type AuthResponse = CallAnswer<'authenticate'>;
type Asked = Pick<
  AuthResponse,
  | 'mfaAdaptivePolicyEnabled'
  | 'mfaPhoneNumberSuffix'
  | 'mfaCodeValidityInMinutes'
  | 'codeSent'
  | 'nextCodeInSeconds'
  | 'secondFactors'
>;

/** Asks for a second factor. Sends the message if the first factor that the page can ask for needs one. */
export async function askForSecondFactor(services: SignInServices, visit: Visit): Promise<Asked> {
  const { signIn, user, site, exchange } = visit;
  const asked = listAskable(user, site, knowsOf(visit));
  const challenge = await toChallenge(services, visit);
  const facts = { userId: user.id, clientId: signIn.clientId, site: site?.name };
  const noted = { event: 'second-factor.send', ...facts, details: { factor: asked[0]?.name } } as const;
  const sending = await noteRefusal(services.audit, noted, exchange, () =>
    services.factors.begin(asked, challenge),
  );
  if (sending !== undefined) {
    const outcome =
      sending === 'sent' ? { result: 'success' as const } : { result: 'failure' as const, reason: sending };
    services.audit.note({ ...noted, ...outcome }, exchange);
  }
  return await describeSecondFactor(services, visit, asked, knowsOf(visit));
}

/**
 * Whether this computer is remembered for the user, and both the site and the application accept that instead of a
 * code. A request for an `acr` always requires a new code.
 */
export async function isDeviceRemembered(
  services: SignInServices,
  {
    signIn,
    user,
    site,
    exchange,
  }: Pick<Visit, 'user' | 'site' | 'exchange'> & {
    signIn: Pick<SignIn, 'clientId'> & Partial<Pick<SignIn, 'parameters'>>;
  },
): Promise<boolean> {
  const { devices, factors } = services;
  return (
    !isSecondFactorRequested(signIn.parameters ?? {}) &&
    listFactors(user, site).length > 0 &&
    (await factors.devices.isRemembered(devices.read(exchange), user.id)) &&
    (await isAdaptive(services, signIn, site))
  );
}

/**
 * Data for the code page: what the page can ask for, where a code was sent, its validity, whether the computer can be
 * remembered, and when the next message can be sent.
 */
export async function describeSecondFactor(
  services: Pick<Services, 'database' | 'factors'>,
  visit: Pick<Visit, 'signIn' | 'user' | 'site' | 'exchange'>,
  asked: readonly Factor[],
  knows: Knows,
): Promise<Asked> {
  const { signIn, user, site } = visit;
  const [first] = asked;
  const delivery =
    first && (await services.factors.describeDelivery(first, await toChallenge(services, visit)));
  return {
    mfaAdaptivePolicyEnabled: await isAdaptive(services, signIn, site),
    ...(delivery !== undefined && {
      mfaCodeValidityInMinutes: codeValidityMinutes,
      ...delivery,
      mfaPhoneNumberSuffix: first?.contractSuffix?.(user),
    }),
    ...(asked.length > 0 &&
      knows('factors') && {
        secondFactors: asked.map(({ name, hint }) => ({ name, hint: hint(user) })),
      }),
  };
}

/** Whether the site and the application allow remembering a private computer. */
export async function isAdaptive(
  { database }: Pick<Services, 'database'>,
  { clientId }: Pick<SignIn, 'clientId'>,
  site: Site | undefined,
): Promise<boolean> {
  if (site?.adaptiveSecondFactor === false) return false;
  const client = await findClient(database, clientId);
  // If the page does not ask whether the computer is public, treat it as public.
  return client?.adaptiveSecondFactor === true && !client.customizations.publicComputerSignInDisabled;
}

/** Binds a code to this sign-in and to the current state of the account. */
export function subjectOf({ signIn, user }: Pick<Visit, 'signIn' | 'user'>): FactorSubject {
  return { uid: signIn.uid, userId: user.id, securityVersion: user.securityVersion };
}

/** The data for a code message. */
export async function toChallenge(
  { database }: Pick<Services, 'database'>,
  { signIn, user, site, exchange }: Pick<Visit, 'signIn' | 'user' | 'site' | 'exchange'>,
): Promise<Challenge> {
  const client = await findClient(database, signIn.clientId);
  return {
    ...subjectOf({ signIn, user }),
    owner: user,
    productName: client?.branding?.productName,
    siteDisplayName: site?.displayName,
    language: exchange.language,
    log: exchange.log,
  };
}

/**
 * Returns the visit of a user who must prove a second factor: the user has entered a password in this sign-in (or used
 * a passkey that the site does not accept as a second factor), or has a session that this sign-in continues.
 * @throws `unauthorized` without such a proof, `mfa_token_expired` if the proof is too old
 */
export async function requireChallenged(
  services: Pick<Services, 'database' | 'clock'>,
  signIn: SignIn,
  exchange: Exchange,
): Promise<Visit> {
  const visit = await findVisit(services, signIn, exchange);
  const password = visit?.evidence.password ?? visit?.evidence.passkey;
  if (visit === undefined || (password ?? visit.session) === undefined)
    throw new ContractError('unauthorized', { detail: 'no password was proved in this sign-in' });
  if (password !== undefined && !isFresh(password.at, services.clock.now()))
    throw new ContractError('mfa_token_expired', { detail: 'the password was proved too long ago' });
  return visit;
}

/**
 * The error for each failed check. A used code and a code of another sign-in get the same error as a wrong code (S36).
 */
const refusals = {
  wrong: 'invalid_credentials',
  used: 'invalid_credentials',
  absent: 'invalid_credentials',
  expired: 'mfa_token_expired',
  'last-wrong': 'mfa_max_attempts_exceeded',
  exhausted: 'mfa_max_attempts_exceeded',
} as const satisfies Record<Exclude<CodeCheck, 'right'>, string>;

/** Only a wrong code counts as a failure. For the other results, no code was compared. */
export async function countCheck(attempt: Attempt, check: CodeCheck): Promise<void> {
  if (check === 'right') await attempt.succeeded();
  else if (check !== 'wrong' && check !== 'last-wrong') await attempt.withdraw();
}

/** @throws the contract error of the check unless it is 'right' */
export function requireRight(check: CodeCheck): void {
  if (check !== 'right') throw new ContractError(refusals[check], { detail: `the code is ${check}` });
}
