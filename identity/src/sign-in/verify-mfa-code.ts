import { mfaCodeLength } from '@anteroom/contract';
import type { CallInput } from '@anteroom/contract';
import { noteRefusal } from '../audit/audit.ts';
import { ContractError } from '../http/errors.ts';
import { knowsExtension } from '../http/exchange.ts';
import { findAskedFactor, listCodeFactors } from '../sites/second-factors.ts';
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
} from './second-step.ts';
import type { SignInServices } from './sign-in-services.ts';
import { prove, requireSignIn } from './visit.ts';
import type { Visit } from './visit.ts';

/** Verifies a code as the second factor: from a text message, an authenticator app, or the list of recovery codes. */
export function createVerifyMfaCode(services: SignInServices): CallHandler<'verifyMfaCode'> {
  const { codeLimits, secondFactor, devices, metrics, audit } = services;

  return async ({ body }, exchange) => {
    const signIn = await requireSignIn(services, body.returnUrl, exchange);
    const { clientId, personId } = signIn;
    const unread = { event: 'second-factor.check', personId, clientId } as const;
    const { visit, factor, attempt } = await noteRefusal(audit, unread, exchange, async () => {
      const visit = await requireChallenged(services, signIn, exchange);
      const factor = await requireFactor(services, visit, body);
      // All factors of a user share one count of failures.
      const subject = { kind: 'second-factor', account: visit.person.id, address: exchange.address } as const;
      return { visit, factor, attempt: await codeLimits.attempt(subject) };
    });
    const noted = { ...unread, details: { factor } } as const;
    const { person, site } = visit;
    const subject = subjectOf(visit);
    const { check, step, recoveryCodesLeft } =
      factor === 'sms'
        ? { check: await secondFactor.check(subject, body.code) }
        : await secondFactor.checkApp(subject, body.code, factor === 'new-totp');
    await countCheck(attempt, check);
    metrics.countSignInStep('second-factor', check);
    if (check !== 'right')
      audit.note({ ...noted, result: 'failure', reason: `the code is ${check}` }, exchange);
    requireRight(check);

    let proved: Visit = await noteRefusal(audit, noted, exchange, async () => {
      if (step !== undefined) return await setUpApp(services, visit, step);
      if (recoveryCodesLeft !== undefined) await notifyOfRecoveryCode(services, visit, recoveryCodesLeft);
      return await prove(services, visit, factor === 'sms' ? 'sms-code' : 'authenticator-code');
    });
    if (body.publicComputerSignIn === true) proved = await prove(services, proved, 'public-computer');
    audit.note({ ...noted, result: 'success', site: site?.name }, exchange);
    const answer = await advance(services, proved);
    if (body.publicComputerSignIn !== true && (await isAdaptive(services, signIn, site))) {
      const token = await secondFactor.devices.remember(devices.read(exchange), proved.person);
      const device = { event: 'device.remember', personId: person.id, clientId, site: site?.name } as const;
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

type Factor = 'sms' | 'totp' | 'recovery-code' | 'new-totp';

/**
 * The factor of the entered code.
 * @throws `unauthorized` if the sign-in does not ask for a code of that factor
 */
async function requireFactor(
  services: SignInServices,
  visit: Visit,
  { code, factor: named }: CallInput<'verifyMfaCode'>['body'],
): Promise<Factor> {
  const factors = listCodeFactors(visit.person, visit.site);
  const isRecoveryCode = code.length !== mfaCodeLength;
  const factor = named ?? findAskedFactor(factors, knowsExtension(visit.exchange, 'totp'));
  if (isRecoveryCode && factors.includes('totp')) return 'recovery-code';
  if (isRecoveryCode) throw noFactor();
  if (factor !== undefined && factors.includes(factor)) return factor;
  if (await isEnrolmentDue(services, visit)) return 'new-totp';
  throw noFactor();
}

function noFactor(): ContractError {
  return new ContractError('unauthorized', { detail: 'this sign-in does not ask for such a code' });
}

/** Sends the code again, in the current language of the page. */
export function createResendMfaCode(services: SignInServices): CallHandler<'resendMfaCode'> {
  return async ({ body }, exchange) => {
    const signIn = await requireSignIn(services, body.returnUrl, exchange);
    const { clientId, personId } = signIn;
    const details = { factor: 'sms', asked: 'again' };
    const noted = { event: 'second-factor.send', personId, clientId, details } as const;
    const waitSeconds = await noteRefusal(services.audit, noted, exchange, async () => {
      const visit = await requireChallenged(services, signIn, exchange);
      const { person, site } = visit;
      const { phoneNumber } = person;
      // A user with an app can also ask for a message, if the site accepts SMS codes.
      if (!listCodeFactors(person, site).includes('sms') || phoneNumber === undefined) throw noFactor();
      return await services.secondFactor.resend(await toChallenge(services, visit, phoneNumber));
    });
    services.audit.note({ ...noted, result: 'success' }, exchange);
    exchange.setHeader('retry-after', String(waitSeconds));
  };
}
