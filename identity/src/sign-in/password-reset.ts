import type { CallAnswer, CallInput } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { findBrowserName } from '../lib/browser-name.ts';
import { languageOf } from '../http/language.ts';
import { isSamePersonAsked } from '../openid/prompts.ts';
import type { Person } from '../users/users-store.ts';
import { advance, findStep } from './advance.ts';
import { changeOwnAccount } from './continue-after-change.ts';
import { policyAt } from './password-policy.ts';
import { checkPassword } from './check-password.ts';
import { requireGoodPassword } from './require-good-password.ts';
import { replacePassword } from './replace-password.ts';
import type { SignInServices } from './sign-in-services.ts';
import { findVisit, requireSignIn } from './visit.ts';
import type { Visit } from './visit.ts';

type Body = CallInput<'passwordReset'>['body'];

/** The visit of a person who has a password to change. */
type Change = Visit & { person: Person & { passwordHash: string } };

/**
 * A new password, because it must be changed or because the person wants to. Whatever the old one has opened elsewhere is
 * closed in the same transaction: sessions, what applications hold, sign-ins under way, and computers that skip the code.
 */
export function createPasswordReset(services: SignInServices) {
  const { passwords, metrics } = services;

  return async (
    { body }: CallInput<'passwordReset'>,
    exchange: Exchange,
  ): Promise<CallAnswer<'passwordReset'>> => {
    const change = await requireChange(services, body, exchange);
    try {
      if (body.newPassword.normalize('NFC') !== body.newPasswordConfirmation.normalize('NFC')) {
        throw new ContractError('passwords_do_not_match');
      }
      await requirePresentPassword(services, change, body.currentPassword);
      const { person, site } = change;
      const attempt = { person, password: body.newPassword, sites: site === undefined ? [] : [site] };
      await requireGoodPassword(services, policyAt(site), attempt, languageOf(exchange.raw.request.headers));
      const changed = await keep(services, change, await passwords.hash(body.newPassword));
      metrics.countSignInStep('password-reset', 'changed');
      return await advance(services, changed);
    } catch (error) {
      if (error instanceof ContractError) noteRefusal(services, change, error);
      throw error;
    }
  };
}

/**
 * The change that a sign-in waits for: nobody changes a password who is not asked to, or has not proved everything else.
 * @throws `unauthorized` otherwise
 */
async function requireChange(
  services: SignInServices,
  { returnUrl }: Body,
  exchange: Exchange,
): Promise<Change> {
  const signIn = await requireSignIn(services, returnUrl, exchange);
  const found = await exchange.findSession();
  const signedIn = found.state === 'valid' && isSamePersonAsked(signIn) ? found.session.personId : undefined;
  const visit = await findVisit(services, signIn, exchange, signedIn ?? signIn.personId);
  const otherwise = visit && (await findStep(services, visit))?.otherwise;
  const isAsked =
    otherwise !== undefined && 'status' in otherwise && otherwise.status === 'password_reset_required';
  const passwordHash = visit?.person.passwordHash;
  if (visit === undefined || passwordHash === undefined || !isAsked) {
    throw new ContractError('unauthorized', { detail: 'no change of password is asked for in this sign-in' });
  }
  return { ...visit, person: { ...visit.person, passwordHash } };
}

/** @throws `invalid_credentials` for a wrong one, which counts as a failed sign-in does; `rate_limit_reached`; `overloaded` */
async function requirePresentPassword(
  services: SignInServices,
  { person, exchange }: Change,
  password: string,
): Promise<void> {
  const attempt = { account: person.id, person, password };
  const { matches, succeeded } = await checkPassword(services, attempt, exchange);
  if (!matches) throw new ContractError('invalid_credentials', { detail: 'wrong present password' });
  await succeeded();
}

/**
 * Sets the new password. What was proved before in this sign-in holds for the account as it is now, because the present password was shown
 * with it; in a required change there is no session yet.
 * @throws `invalid_credentials` when another change was quicker: the present password is not the present one any more
 */
async function keep(services: SignInServices, change: Change, newHash: string): Promise<Visit> {
  const { person, signIn, session, site, exchange } = change;
  const language = languageOf(exchange.raw.request.headers);
  const browser = findBrowserName(exchange.raw.request.headers['user-agent']);
  const { visit, revoked } = await changeOwnAccount(
    services,
    change,
    'password-change',
    async (transaction, exceptIdHash) => {
      const replacement = { person, newHash, language, browser, exceptIdHash };
      const replaced = await replacePassword(services, transaction, replacement);
      if (replaced === undefined)
        throw new ContractError('invalid_credentials', { detail: 'another change was quicker' });
      return replaced;
    },
  );
  services.audit.note(
    {
      event: 'password.change',
      result: 'success',
      personId: person.id,
      clientId: signIn.clientId,
      site: site?.name,
      sessionHash: session?.idHash,
      details: {
        required: person.mustChangePassword ? 'yes' : 'no',
        sessionsEnded: String(revoked.sessionsEnded),
        devicesForgotten: String(revoked.devicesForgotten),
      },
    },
    exchange,
  );
  return visit;
}

function noteRefusal(
  { metrics, audit }: SignInServices,
  { person, signIn, site, exchange }: Change,
  { code, detail }: ContractError,
): void {
  metrics.countSignInStep('password-reset', code);
  const facts = { personId: person.id, clientId: signIn.clientId, site: site?.name };
  audit.note({ event: 'password.change', result: 'failure', reason: detail ?? code, ...facts }, exchange);
}
