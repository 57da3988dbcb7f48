import type { CallAnswer } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { languageOf } from '../http/language.ts';
import { findClient } from '../openid/clients-store.ts';
import type { SignIn } from '../openid/sign-ins-store.ts';
import { findActivePerson } from '../people/people-store.ts';
import type { Person } from '../people/people-store.ts';
import { codeValidityMinutes } from '../second-factor/figures.ts';
import type { CodeCheck } from '../second-factor/one-time-codes.ts';
import { phoneNumberSuffix } from '../second-factor/phone-number.ts';
import type { Challenge } from '../second-factor/second-factor.ts';
import type { Services } from '../services.ts';
import type { FoundSession } from '../sessions/session.ts';
import type { Site } from '../sites/sites-store.ts';
import { isFresh } from './standing.ts';

type AuthResponse = CallAnswer<'authenticate'>;
type Asked = Pick<
  AuthResponse,
  'mfaAdaptivePolicyEnabled' | 'mfaPhoneNumberSuffix' | 'mfaCodeValidityInMinutes'
>;

/** What the page says of the code: the end of the number, how long it is good, whether the computer may be remembered. */
export async function describeSecondFactor(
  services: Pick<Services, 'database'>,
  signIn: SignIn,
  phoneNumber: string,
  site: Site | undefined,
): Promise<Asked> {
  return {
    mfaAdaptivePolicyEnabled: await isAdaptive(services, signIn, site),
    mfaPhoneNumberSuffix: phoneNumberSuffix(phoneNumber),
    mfaCodeValidityInMinutes: codeValidityMinutes,
  };
}

/** Whether the site and the application let a private computer be remembered. */
export async function isAdaptive(
  { database }: Pick<Services, 'database'>,
  { clientId }: Pick<SignIn, 'clientId'>,
  site: Site | undefined,
): Promise<boolean> {
  if (site?.adaptiveSecondFactor === false) return false;
  const client = await findClient(database, clientId);
  // where nobody is asked whether the computer is a public one, none is taken for a private one
  return client?.adaptiveSecondFactor === true && !client.customizations.publicComputerSignInDisabled;
}

/** Who is to prove that they hold their phone, in this sign-in. */
export function toChallenge(
  { uid }: SignIn,
  personId: string,
  phoneNumber: string,
  exchange: Exchange,
): Challenge {
  return {
    uid,
    personId,
    phoneNumber,
    language: languageOf(exchange.raw.request.headers),
    log: exchange.log,
  };
}

/**
 * The person whose password this sign-in has proved, or whose valid session goes on in it, and whose phone is asked now.
 * @throws `unauthorized` before the password, `mfa_token_expired` when it was proved too long ago
 */
export async function requireChallenged(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  signIn: SignIn,
  found: FoundSession,
): Promise<{ person: Person; phoneNumber: string }> {
  const person =
    signIn.personId === undefined ? undefined : await findActivePerson(database, signIn.personId);
  const isSignedIn = found.state === 'valid' && found.session.personId === person?.id;
  if (person?.phoneNumber === undefined || (signIn.passwordAt === undefined && !isSignedIn)) {
    throw new ContractError('unauthorized', { detail: 'no password was proved in this sign-in' });
  }
  if (signIn.passwordAt !== undefined && !isFresh(signIn.passwordAt, clock.now())) {
    throw new ContractError('mfa_token_expired', { detail: 'the password was proved too long ago' });
  }
  return { person, phoneNumber: person.phoneNumber };
}

/** How each outcome of a check is told. A code that was used, or made for another sign-in, looks like one that was never right (S36). */
const refusals = {
  wrong: 'invalid_credentials',
  used: 'invalid_credentials',
  absent: 'invalid_credentials',
  expired: 'mfa_token_expired',
  'last-wrong': 'mfa_max_attempts_exceeded',
  exhausted: 'mfa_max_attempts_exceeded',
} as const satisfies Record<Exclude<CodeCheck, 'right'>, string>;

/** @throws the contract error for anything but 'right'. */
export function requireRight(check: CodeCheck): void {
  if (check !== 'right') throw new ContractError(refusals[check], { detail: `the code is ${check}` });
}
