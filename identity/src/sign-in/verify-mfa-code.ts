import type { CallAnswer, CallInput } from '@anteroom/contract';
import type { Exchange } from '../http/exchange.ts';
import { advance, findSessionOf } from './advance.ts';
import { requireSignIn } from './find-sign-in.ts';
import { noteProgress } from './progress-store.ts';
import { isAdaptive, requireChallenged, requireRight, toChallenge } from './second-step.ts';
import type { SignInServices } from './sign-in-services.ts';
import { findPlaceOf } from './standing.ts';

/** Proves the second factor with the code of the message. */
export function createVerifyMfaCode(services: SignInServices) {
  const { database, clock, codeLimits, secondFactor, devices, metrics } = services;

  return async (
    { body }: CallInput<'verifyMfaCode'>,
    exchange: Exchange,
  ): Promise<CallAnswer<'verifyMfaCode'>> => {
    const signIn = await requireSignIn(services, body.returnUrl, exchange);
    const { person } = await requireChallenged(services, signIn, await exchange.findSession());
    const attempt = await codeLimits.attempt({
      kind: 'second-factor',
      account: person.id,
      address: exchange.address,
    });
    const check = await secondFactor.check({ uid: signIn.uid, personId: person.id }, body.code);
    // only a wrong guess counts: the others were not even compared
    if (check === 'right') await attempt.succeeded();
    else if (check !== 'wrong' && check !== 'last-wrong') await attempt.withdraw();
    metrics.countSignInStep('second-factor', check);
    const facts = { personId: person.id, clientId: signIn.clientId, uid: signIn.uid };
    exchange.log.info({ ...facts, factor: 'sms', result: check }, 'second factor checked');
    requireRight(check);

    const proved = await noteProgress(database, signIn, { secondFactorAt: clock.now() });
    const session = await findSessionOf(person.id, exchange);
    const site = await findPlaceOf(services, proved, session, person.id);
    if (body.publicComputerSignIn !== true && (await isAdaptive(services, proved, site))) {
      devices.write(exchange, await secondFactor.devices.remember(devices.read(exchange), person.id));
    }
    return await advance(services, proved, person, site, exchange);
  };
}

/** Sends the code again, in the language that the page has now. */
export function createResendMfaCode(services: SignInServices) {
  return async ({ body }: CallInput<'resendMfaCode'>, exchange: Exchange): Promise<undefined> => {
    const signIn = await requireSignIn(services, body.returnUrl, exchange);
    const { person, phoneNumber } = await requireChallenged(services, signIn, await exchange.findSession());
    const waitSeconds = await services.secondFactor.resend(
      toChallenge(signIn, person.id, phoneNumber, exchange),
    );
    exchange.setHeader('retry-after', String(waitSeconds));
  };
}
