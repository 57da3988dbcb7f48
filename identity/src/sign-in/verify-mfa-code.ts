import { mfaCodeLength } from '@anteroom/contract';
import type { CallInput } from '@anteroom/contract';
import { noteRefusal } from '../audit/audit.ts';
import type { CheckedCode, Factor } from '../factors/factor.ts';
import { factors as factorTable, listAskable, listFactors } from '../factors/factors.ts';
import { ContractError } from '../http/errors.ts';
import type { CallHandler } from '../http/routes.ts';
import { advance } from './advance.ts';
import { isEnrolmentDue, notifyOfRecoveryCode, setUpApp } from './authenticator-app.ts';
import {
  countCheck,
  isAdaptive,
  requireChallenged,
  requireRight,
  subjectOf,
  toChallenge,
} from './second-factor-step.ts';
import type { SignInServices } from './sign-in-services.ts';
import { requireSignIn } from './find-sign-in.ts';
import { knowsOf, prove } from './visit.ts';
import type { Visit } from './visit.ts';

/** Verifies a code as the second factor: from a message, an authenticator app, or the list of recovery codes. */
export function createVerifyMfaCode(services: SignInServices): CallHandler<'verifyMfaCode'> {
  const { codeLimits, factors, devices, metrics, audit } = services;

  return async ({ body }, exchange) => {
    const signIn = await requireSignIn(services, body.returnUrl, exchange);
    const { clientId, userId } = signIn;
    const unread = { event: 'second-factor.check', userId, clientId } as const;
    const { visit, factor, attempt } = await noteRefusal(audit, unread, exchange, async () => {
      const visit = await requireChallenged(services, signIn, exchange);
      const factor = await requireFactor(services, visit, body);
      // All factors of a user share one count of failures.
      const subject = { kind: 'second-factor', account: visit.user.id, address: exchange.address } as const;
      return { visit, factor, attempt: await codeLimits.attempt(subject) };
    });
    const noted = { ...unread, details: { factor: factor === 'new-app' ? 'totp' : factor.name } } as const;
    const { user, site } = visit;
    const subject = subjectOf(visit);
    const { check, step, recoveryCodesLeft }: CheckedCode & { step?: number | undefined } =
      factor === 'new-app'
        ? await factors.checkOfferedApp(subject, body.code)
        : await factors.check(factor, subject, body.code);
    await countCheck(attempt, check);
    metrics.countSignInStep('second-factor', check);
    if (check !== 'right')
      audit.note({ ...noted, result: 'failure', reason: `the code is ${check}` }, exchange);
    requireRight(check);

    let proved: Visit = await noteRefusal(audit, noted, exchange, async () => {
      if (recoveryCodesLeft !== undefined) await notifyOfRecoveryCode(services, visit, recoveryCodesLeft);
      return factor === 'new-app' && step !== undefined
        ? await setUpApp(services, visit, step)
        : await prove(services, visit, factor === 'new-app' ? 'authenticator-code' : factor.proof);
    });
    if (body.publicComputerSignIn === true) proved = await prove(services, proved, 'public-computer');
    audit.note({ ...noted, result: 'success', site: site?.name }, exchange);
    const answer = await advance(services, proved);
    if (body.publicComputerSignIn !== true && (await isAdaptive(services, signIn, site))) {
      const token = await factors.devices.remember(devices.read(exchange), proved.user);
      const device = { event: 'device.remember', userId: user.id, clientId, site: site?.name } as const;
      if (token === undefined)
        audit.note({ ...device, result: 'failure', reason: 'the account changed' }, exchange);
      else {
        devices.write(exchange, token);
        audit.note({ ...device, result: 'success' }, exchange);
      }
    }
    return answer;
  };
}

/**
 * The factor of the entered code: the named one, or the one that the service has asked for. A code that is longer than
 * six digits is a recovery code. `new-app`: the user is setting up an app.
 * @throws `unauthorized` if the sign-in does not ask for a code of that factor
 */
async function requireFactor(
  services: SignInServices,
  visit: Visit,
  { code, factor: named }: CallInput<'verifyMfaCode'>['body'],
): Promise<Factor | 'new-app'> {
  const isLong = code.length !== mfaCodeLength;
  const own = listFactors(visit.user, visit.site).filter(
    ({ purpose, hasLongCodes = false }) => purpose !== undefined && hasLongCodes === isLong,
  );
  const [asked] = listAskable(visit.user, visit.site, knowsOf(visit));
  const wanted = named ?? asked?.name;
  const factor = isLong ? own[0] : own.find(({ name }) => name === wanted);
  if (factor !== undefined) return factor;
  if (!isLong && (await isEnrolmentDue(services, visit))) return 'new-app';
  throw noFactor();
}

function noFactor(): ContractError {
  return new ContractError('unauthorized', { detail: 'this sign-in does not ask for such a code' });
}

/** Sends the code again, in the current language of the page. */
export function createResendMfaCode(services: SignInServices): CallHandler<'resendMfaCode'> {
  return async ({ body }, exchange) => {
    const signIn = await requireSignIn(services, body.returnUrl, exchange);
    const { clientId, userId } = signIn;
    const factor = factorTable[body.factor ?? 'sms'];
    const details = { factor: factor.name, asked: 'again' };
    const noted = { event: 'second-factor.send', userId, clientId, details } as const;
    const waitSeconds = await noteRefusal(services.audit, noted, exchange, async () => {
      const visit = await requireChallenged(services, signIn, exchange);
      // A user with an app can also ask for a message, if the site accepts its code.
      if (!listFactors(visit.user, visit.site).includes(factor)) throw noFactor();
      return await services.factors.resend(factor, await toChallenge(services, visit));
    });
    services.audit.note({ ...noted, result: 'success' }, exchange);
    exchange.setHeader('retry-after', String(waitSeconds));
  };
}
