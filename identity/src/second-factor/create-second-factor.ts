import { mfaCodeLength } from '@anteroom/contract';
import type { Config } from '../config.ts';
import { ContractError } from '../http/errors.ts';
import { DeliveryError } from '../lib/delivery-error.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { StoreContext } from '../store/store-context.ts';
import { createAuthenticatorApps } from './authenticator-apps.ts';
import { createCodeMessages } from './code-messages.ts';
import type { Permit } from './code-messages.ts';
import { codeValidityMinutes, retryAfterFailureSeconds } from './limits.ts';
import { createOneTimeCodes } from './one-time-codes.ts';
import type { CodeSubject, IssuedCode } from './one-time-codes.ts';
import { isDialable } from './phone-number.ts';
import { createRememberedDevices } from './remembered-devices.ts';
import type { Challenge, ChallengeSubject, SecondFactor } from './second-factor.ts';

type CodeMessage = Pick<Challenge, 'productName' | 'siteDisplayName' | 'isNewNumber' | 'language'> & {
  to: string;
  code: string;
  minutes: number;
};

type Needed = StoreContext & {
  /** Encrypts the secrets of authenticator apps. */
  sealing: KeyRing;
  /**
   * Sends the message to its gateway.
   * @throws DeliveryError after at most 3 s
   */
  deliver: (message: CodeMessage) => Promise<void>;
};

export function createSecondFactor(dependencies: Needed, options: Config['codes']): SecondFactor {
  const codes = createOneTimeCodes(dependencies);
  const messages = createCodeMessages(dependencies, options);
  const devices = createRememberedDevices(dependencies);
  const apps = createAuthenticatorApps(dependencies);

  /** @throws `mfa_invalid_phone_number` if the number cannot receive messages, or is not permitted */
  function requireDialable({ phoneNumber, personId, log }: Challenge): void {
    const isAllowed =
      options.numberPrefixes.length === 0 ||
      options.numberPrefixes.some((prefix) => phoneNumber.startsWith(prefix));
    if (isDialable(phoneNumber) && isAllowed) return;
    log.warn({ personId, isAllowed }, 'no code can be sent to this phone number');
    throw new ContractError('mfa_invalid_phone_number', {
      detail: 'the number must be dialable and begin with an allowed prefix',
    });
  }

  /** @throws DeliveryError, or `mfa_invalid_phone_number` if the gateway rejects the number */
  async function deliver(challenge: Challenge, issued: IssuedCode, permit: Permit): Promise<void> {
    const {
      phoneNumber: to,
      productName,
      siteDisplayName,
      isNewNumber,
      language,
      log,
      personId,
      uid,
    } = challenge;
    const message = { to, code: issued.code, minutes: codeValidityMinutes };
    try {
      await dependencies.deliver({ ...message, productName, siteDisplayName, isNewNumber, language });
    } catch (error) {
      const isCertain = error instanceof DeliveryError && !error.mayHaveArrived;
      log.warn({ personId, uid, err: error, mayHaveArrived: !isCertain }, 'a code was not sent');
      if (isCertain) {
        await issued.withdraw();
        await permit.release();
      }
      if (error instanceof DeliveryError && error.failure === 'invalid-recipient') {
        throw new ContractError('mfa_invalid_phone_number', { detail: 'the gateway rejects the number' });
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
        else log.info(line, 'no code is sent before the limit allows it');
        return permit.because === 'budget' ? 'budget used up' : 'not yet';
      }
      const issued = await codes.issue(subjectOf(challenge));
      // Another request of the same sign-in has already sent a code.
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
        // After too many wrong codes, waiting does not help: the user must enter the password again.
        if ((await codes.stateOf(subjectOf(challenge))) === 'exhausted') throw tooManyAttempts();
        throw new ContractError('rate_limit_reached', {
          retryAfterSeconds: permit.waitSeconds,
          detail: `too many code messages for the ${permit.because}`,
        });
      }
      const issued = await codes.issue(subjectOf(challenge));
      if (typeof issued === 'string') {
        await permit.release();
        if (issued === 'exhausted') throw tooManyAttempts();
        // The previous code was accepted in the meantime, so no new code is needed.
        return await messages.waitSeconds(challenge);
      }
      try {
        await deliver(challenge, issued, permit);
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error;
        throw new ContractError('mfa_resend_failed', {
          retryAfterSeconds: error.mayHaveArrived
            ? options.resendWaitSeconds
            : (error.retryAfterSeconds ?? retryAfterFailureSeconds),
          detail: error.message,
          cause: error,
        });
      }
      return await messages.waitSeconds(challenge);
    },

    check: (challenge, code) => codes.check(subjectOf(challenge), code),
    checkNewNumber: (challenge, code) => codes.check(subjectOf({ ...challenge, isNewNumber: true }), code),
    async describeDelivery(challenge) {
      return {
        codeSent: (await codes.stateOf(subjectOf(challenge))) === 'awaited',
        nextCodeInSeconds: await messages.waitSeconds(challenge),
      };
    },
    devices,
    countLastHour: messages.countLastHour,
    apps,
    async beginWithApp(subject) {
      await codes.beginAnew(appSubjectOf(subject));
      // The user can still request an SMS code instead.
      await codes.beginAnew(subjectOf(subject));
    },
    async checkApp(subject, code, isOffered) {
      if (!(await codes.countTry(appSubjectOf(subject)))) return { check: 'exhausted' };
      if (isOffered) {
        const step = apps.findOfferedStep(subject, code);
        return { check: step === undefined ? 'wrong' : 'right', step };
      }
      if (code.length === mfaCodeLength) return { check: await apps.checkCode(subject.personId, code) };
      const recoveryCodesLeft = await apps.spendRecoveryCode(subject.personId, code);
      return { check: recoveryCodesLeft === undefined ? 'wrong' : 'right', recoveryCodesLeft };
    },
  };
}

function tooManyAttempts(): ContractError {
  return new ContractError('mfa_max_attempts_exceeded', { detail: 'too many wrong codes' });
}

function appSubjectOf(subject: ChallengeSubject): CodeSubject {
  return { ...subjectOf(subject), purpose: 'authenticator-app' };
}

function subjectOf({
  uid,
  personId,
  securityVersion,
  phoneNumber,
  isNewNumber,
}: ChallengeSubject & Partial<Pick<Challenge, 'phoneNumber' | 'isNewNumber'>>): CodeSubject {
  const subject = { boundTo: uid, personId, securityVersion };
  return isNewNumber === true
    ? { ...subject, purpose: 'phone-number', phoneNumber }
    : { ...subject, purpose: 'sign-in' };
}
