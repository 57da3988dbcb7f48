import type { Locale } from '@anteroom/contract';
import type { Config } from '../config.ts';
import { ContractError } from '../http/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { DeliveryError } from '../lib/delivery-error.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Random } from '../lib/random.ts';
import type { Database } from '../store/schema.ts';
import { createCodeMessages } from './code-messages.ts';
import type { Permit } from './code-messages.ts';
import { codeValidityMinutes, retryAfterFailureSeconds } from './figures.ts';
import { createOneTimeCodes } from './one-time-codes.ts';
import type { CodeSubject, IssuedCode } from './one-time-codes.ts';
import { isDialable } from './phone-number.ts';
import { createRememberedDevices } from './remembered-devices.ts';
import type { Challenge, SecondFactor } from './second-factor.ts';

type Needed = {
  database: Database;
  clock: Clock;
  random: Random;
  keyRing: KeyRing;
  /** Hands the message to its gateway. @throws DeliveryError within 3 s. */
  deliver: (message: { to: string; code: string; minutes: number; language: Locale }) => Promise<void>;
};

export function createSecondFactor(dependencies: Needed, figures: Config['codes']): SecondFactor {
  const codes = createOneTimeCodes(dependencies);
  const messages = createCodeMessages(dependencies, figures);
  const devices = createRememberedDevices(dependencies);

  /** @throws `mfa_invalid_phone_number` for what no message can be sent to, or may not be. */
  function requireDialable({ phoneNumber, personId, log }: Challenge): void {
    const isAllowed =
      figures.numberPrefixes.length === 0 ||
      figures.numberPrefixes.some((prefix) => phoneNumber.startsWith(prefix));
    if (isDialable(phoneNumber) && isAllowed) return;
    log.warn({ personId, isAllowed }, 'a phone number that no code can be sent to');
    throw new ContractError('mfa_invalid_phone_number', {
      detail: 'not dialable, or not an allowed country',
    });
  }

  /** @throws DeliveryError, or `mfa_invalid_phone_number` when the gateway says that there is nobody. */
  async function deliver(challenge: Challenge, issued: IssuedCode, permit: Permit): Promise<void> {
    const { phoneNumber: to, language, log, personId, uid } = challenge;
    try {
      await dependencies.deliver({ to, code: issued.code, minutes: codeValidityMinutes, language });
    } catch (error) {
      const isCertain = error instanceof DeliveryError && !error.mayHaveArrived;
      log.warn({ personId, uid, err: error, mayHaveArrived: !isCertain }, 'a code was not sent');
      if (isCertain) {
        await issued.withdraw();
        await permit.release();
      }
      if (error instanceof DeliveryError && error.failure === 'invalid-recipient') {
        throw new ContractError('mfa_invalid_phone_number', { detail: 'the gateway knows no such number' });
      }
      throw error;
    }
  }

  return {
    async begin(challenge) {
      requireDialable(challenge);
      await codes.beginAnew(subjectOf(challenge));
      const permit = await messages.claim(challenge);
      if ('waitSeconds' in permit) {
        const { personId, uid, log } = challenge;
        const line = { personId, uid, because: permit.because, waitSeconds: permit.waitSeconds };
        if (permit.because === 'budget') log.warn(line, 'the budget of code messages is used up');
        else log.info(line, 'no code is sent yet');
        return permit.because === 'budget' ? 'budget used up' : 'not yet';
      }
      const issued = await codes.issue(subjectOf(challenge));
      // somebody was quicker: the same sign-in, in another request
      if (typeof issued === 'string') {
        await permit.release();
        return 'sent already';
      }
      try {
        await deliver(challenge, issued, permit);
        return 'sent';
      } catch (error) {
        if (error instanceof DeliveryError) return 'not delivered';
        throw error;
      }
    },

    async resend(challenge) {
      requireDialable(challenge);
      const permit = await messages.claim(challenge);
      if ('waitSeconds' in permit) {
        throw new ContractError('rate_limit_reached', {
          retryAfterSeconds: permit.waitSeconds,
          detail: `too many code messages of the ${permit.because}`,
        });
      }
      const issued = await codes.issue(subjectOf(challenge));
      if (typeof issued === 'string') {
        await permit.release();
        if (issued === 'exhausted') throw new ContractError('mfa_max_attempts_exceeded');
        // the code before was right in the meantime: nobody needs another
        return figures.resendWaitSeconds;
      }
      try {
        await deliver(challenge, issued, permit);
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error;
        throw new ContractError('mfa_resend_failed', {
          retryAfterSeconds: error.mayHaveArrived
            ? figures.resendWaitSeconds
            : (error.retryAfterSeconds ?? retryAfterFailureSeconds),
          detail: error.message,
          cause: error,
        });
      }
      return figures.resendWaitSeconds;
    },

    check: (challenge, code) => codes.check(subjectOf(challenge), code),
    isAwaited: (challenge) => codes.isAwaited(subjectOf(challenge)),
    devices,
    prune: async () => (await codes.prune()) + (await messages.prune()) + (await devices.prune()),
  };
}

function subjectOf({ uid, personId }: Pick<Challenge, 'uid' | 'personId'>): CodeSubject {
  return { purpose: 'sign-in', boundTo: uid, personId };
}
