import type { CallAnswer, CallInput } from '@anteroom/contract';
import { noteRefusal } from '../audit/note-refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import { advance, findSessionOf } from './advance.ts';
import { requireSignIn } from './find-sign-in.ts';
import { noteProgress } from './progress-store.ts';
import { isAdaptive, requireChallenged, requireRight, toChallenge } from './second-step.ts';
import type { SignInServices } from './sign-in-services.ts';
import { findPlaceOf } from './standing.ts';

/** Proves the second factor with the code of the message. */
export function createVerifyMfaCode(services: SignInServices) {
  const { database, clock, codeLimits, secondFactor, devices, metrics, audit } = services;

  return async (
    { body }: CallInput<'verifyMfaCode'>,
    exchange: Exchange,
  ): Promise<CallAnswer<'verifyMfaCode'>> => {
    const signIn = await requireSignIn(services, body.returnUrl, exchange);
    const { clientId, personId } = signIn;
    const noted = { event: 'second-factor.check', personId, clientId, details: { factor: 'sms' } } as const;
    const { person, attempt } = await noteRefusal(audit, noted, exchange, async () => {
      const { person } = await requireChallenged(services, signIn, await exchange.findSession());
      const subject = { kind: 'second-factor', account: person.id, address: exchange.address } as const;
      return { person, attempt: await codeLimits.attempt(subject) };
    });
    const check = await secondFactor.check({ uid: signIn.uid, personId: person.id }, body.code);
    // only a wrong guess counts: the others were not even compared
    if (check === 'right') await attempt.succeeded();
    else if (check !== 'wrong' && check !== 'last-wrong') await attempt.withdraw();
    metrics.countSignInStep('second-factor', check);
    if (check !== 'right')
      audit.note({ ...noted, result: 'failure', reason: `the code is ${check}` }, exchange);
    requireRight(check);

    const proved = await noteProgress(database, signIn, { secondFactorAt: clock.now() });
    const session = await findSessionOf(person.id, exchange);
    const site = await findPlaceOf(services, proved, session, person.id);
    audit.note({ ...noted, result: 'success', site: site?.name }, exchange);
    if (body.publicComputerSignIn !== true && (await isAdaptive(services, proved, site))) {
      devices.write(exchange, await secondFactor.devices.remember(devices.read(exchange), person.id));
      const device = { event: 'device.remember', result: 'success', personId: person.id } as const;
      audit.note({ ...device, clientId, site: site?.name }, exchange);
    }
    return await advance(services, proved, person, site, exchange);
  };
}

/** Sends the code again, in the language that the page has now. */
export function createResendMfaCode(services: SignInServices) {
  return async ({ body }: CallInput<'resendMfaCode'>, exchange: Exchange): Promise<undefined> => {
    const signIn = await requireSignIn(services, body.returnUrl, exchange);
    const { clientId, personId } = signIn;
    const details = { factor: 'sms', asked: 'again' };
    const noted = { event: 'second-factor.send', personId, clientId, details } as const;
    const waitSeconds = await noteRefusal(services.audit, noted, exchange, async () => {
      const { person, phoneNumber } = await requireChallenged(services, signIn, await exchange.findSession());
      return await services.secondFactor.resend(toChallenge(signIn, person.id, phoneNumber, exchange));
    });
    services.audit.note({ ...noted, result: 'success' }, exchange);
    exchange.setHeader('retry-after', String(waitSeconds));
  };
}
