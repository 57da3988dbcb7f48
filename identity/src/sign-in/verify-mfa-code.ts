import type { CallAnswer, CallInput } from '@anteroom/contract';
import { noteRefusal } from '../audit/note-refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import { advance } from './advance.ts';
import { isAdaptive, requireChallenged, requireRight, toChallenge } from './second-step.ts';
import type { SignInServices } from './sign-in-services.ts';
import { prove, requireSignIn } from './visit.ts';

/** Proves the second factor with the code of the message. */
export function createVerifyMfaCode(services: SignInServices) {
  const { codeLimits, secondFactor, devices, metrics, audit } = services;

  return async (
    { body }: CallInput<'verifyMfaCode'>,
    exchange: Exchange,
  ): Promise<CallAnswer<'verifyMfaCode'>> => {
    const signIn = await requireSignIn(services, body.returnUrl, exchange);
    const { clientId, personId } = signIn;
    const noted = { event: 'second-factor.check', personId, clientId, details: { factor: 'sms' } } as const;
    const { visit, attempt } = await noteRefusal(audit, noted, exchange, async () => {
      const visit = await requireChallenged(services, signIn, exchange);
      const subject = { kind: 'second-factor', account: visit.person.id, address: exchange.address } as const;
      return { visit, attempt: await codeLimits.attempt(subject) };
    });
    const { person, site } = visit;
    const check = await secondFactor.check(
      { uid: signIn.uid, personId: person.id, securityVersion: person.securityVersion },
      body.code,
    );
    // only a wrong guess counts: the others were not even compared
    if (check === 'right') await attempt.succeeded();
    else if (check !== 'wrong' && check !== 'last-wrong') await attempt.withdraw();
    metrics.countSignInStep('second-factor', check);
    if (check !== 'right')
      audit.note({ ...noted, result: 'failure', reason: `the code is ${check}` }, exchange);
    requireRight(check);

    const proved = await noteRefusal(audit, noted, exchange, () => prove(services, visit, 'sms-code'));
    audit.note({ ...noted, result: 'success', site: site?.name }, exchange);
    const answer = await advance(services, proved);
    if (body.publicComputerSignIn !== true && (await isAdaptive(services, signIn, site))) {
      const token = await secondFactor.devices.remember(devices.read(exchange), person);
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

/** Sends the code again, in the language that the page has now. */
export function createResendMfaCode(services: SignInServices) {
  return async ({ body }: CallInput<'resendMfaCode'>, exchange: Exchange): Promise<undefined> => {
    const signIn = await requireSignIn(services, body.returnUrl, exchange);
    const { clientId, personId } = signIn;
    const details = { factor: 'sms', asked: 'again' };
    const noted = { event: 'second-factor.send', personId, clientId, details } as const;
    const waitSeconds = await noteRefusal(services.audit, noted, exchange, async () => {
      const visit = await requireChallenged(services, signIn, exchange);
      return await services.secondFactor.resend(await toChallenge(services, visit, visit.phoneNumber));
    });
    services.audit.note({ ...noted, result: 'success' }, exchange);
    exchange.setHeader('retry-after', String(waitSeconds));
  };
}
