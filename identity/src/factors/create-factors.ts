import type { Config } from '../config/config.ts';
import { ContractError } from '../http/errors.ts';
import { DeliveryError } from '../lib/delivery-error.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { StoreContext } from '../store/store-context.ts';
import { createAuthenticatorApps } from './authenticator-apps.ts';
import type { AuthenticatorApps } from './authenticator-apps.ts';
import { createMessageLimits } from './message-limits.ts';
import type { CodeCounts, Permit, Recipient, Wait } from './message-limits.ts';
import type { Challenge, CheckedCode, Factor, FactorParts, MessageWay } from './factor.ts';
import { factors } from './factors.ts';
import { codeValidityMinutes, retryAfterFailureSeconds } from './code-limits.ts';
import { createOneTimeCodes } from './one-time-codes.ts';
import type { CodeSubject, FactorSubject, IssuedCode } from './one-time-codes.ts';
import { createRememberedDevices } from './remembered-devices.ts';
import type { RememberedDevices } from './remembered-devices.ts';

/** The delivery status for the page, as in the wire contract. */
export type CodeDelivery = {
  /** Whether a code was sent that the user can enter in this sign-in. */
  codeSent: boolean;
  /** Seconds until the next message can be requested. */
  nextCodeInSeconds: number;
};

/** The outcome of the first code: another request was faster, a limit applies, or the gateway failed. */
export type CodeSending = 'sent' | 'sent already' | 'not yet' | 'budget used up' | 'not delivered';

/** Asks for and checks second factors. All functions require that the user has proved a first factor. */
export type FactorService = {
  /**
   * Asks for the first of the factors: sends its message, if it has one. Also resets the attempts of all of them. A
   * gateway failure or a limit does not end the sign-in: the user can request the code again.
   * @throws `mfa_invalid_phone_number`
   */
  begin: (asked: readonly Factor[], challenge: Challenge) => Promise<CodeSending | undefined>;
  /**
   * Replaces the previous code and sends the new one. Returns the seconds until the next message.
   * @throws `mfa_max_attempts_exceeded`, `rate_limit_reached` and `mfa_resend_failed` (both with `Retry-After`),
   * `mfa_invalid_phone_number`
   */
  resend: (factor: Factor, challenge: Challenge) => Promise<number>;
  /** Compares a code, with five attempts for each factor of a sign-in. */
  check: (factor: Factor, subject: FactorSubject, code: string) => Promise<CheckedCode>;
  /** Undefined if the factor sends no message. */
  describeDelivery: (factor: Factor, challenge: Challenge) => Promise<CodeDelivery | undefined>;
  /** Why the user gets no message of the factor now; undefined if a message would be sent, or the factor sends none. */
  findWait: (factor: Factor, user: Pick<Challenge, 'userId' | 'owner'>) => Promise<Wait | undefined>;
  /** Compares a code that was sent to a new number. */
  checkNewNumber: (subject: FactorSubject, newNumber: string, code: string) => Promise<CheckedCode>;
  /** Compares a code of the app that the user is setting up. `setUp` stores the app with the returned step. */
  checkOfferedApp: (
    subject: FactorSubject,
    code: string,
  ) => Promise<CheckedCode & { step?: number | undefined }>;
  devices: RememberedDevices;
  /** Messages of the last hour; `range` is the busiest one. */
  countLastHour: () => Promise<CodeCounts>;
  apps: Omit<AuthenticatorApps, 'checkCode' | 'spendRecoveryCode'>;
};

type Needed = StoreContext & {
  /** Encrypts the secrets of authenticator apps. */
  sealing: KeyRing;
} & Omit<FactorParts, 'codes' | 'apps' | 'numberPrefixes'>;

export function createFactors(dependencies: Needed, options: Config['codes']): FactorService {
  const codes = createOneTimeCodes(dependencies);
  const messageLimits = createMessageLimits(dependencies, options);
  const devices = createRememberedDevices(dependencies);
  const apps = createAuthenticatorApps(dependencies);
  const { numberPrefixes } = options;
  const parts: FactorParts = { ...dependencies, codes, apps, numberPrefixes };

  /** @throws `mfa_invalid_phone_number`; an error for a factor without messages */
  function requireMessage(factor: Factor, challenge: Challenge): Message {
    const found = findMessage(factor, challenge);
    if (found === undefined) throw new Error(`the factor ${factor.name} sends no message to this user`);
    found.way.requireReachable(parts, challenge, found.recipient.address);
    return found;
  }

  /** @throws DeliveryError, or `mfa_invalid_phone_number` if the gateway rejects the number */
  async function deliver(
    { way, recipient }: Message,
    challenge: Challenge,
    issued: IssuedCode,
    permit: Permit,
  ): Promise<void> {
    const { productName, siteDisplayName, newNumber, language, log, userId, uid } = challenge;
    const isNewNumber = newNumber !== undefined;
    const facts = { isNewNumber, productName, siteDisplayName, language };
    const message = { ...facts, to: recipient.address, code: issued.code, minutes: codeValidityMinutes };
    try {
      await way.deliver(parts, message);
    } catch (error) {
      const isCertain = error instanceof DeliveryError && !error.mayHaveArrived;
      log.warn({ userId, uid, err: error, mayHaveArrived: !isCertain }, 'a code was not sent');
      if (isCertain) {
        await issued.withdraw();
        await permit.release();
      }
      if (error instanceof DeliveryError && error.failure === 'invalid-recipient') {
        throw new ContractError('mfa_invalid_phone_number', { detail: 'the gateway rejects the address' });
      }
      throw error;
    }
  }

  return {
    async begin(asked, challenge) {
      const [first] = asked;
      if (first === undefined) return undefined;
      const message = first.message && requireMessage(first, challenge);
      for (const purpose of new Set(asked.flatMap((factor) => factor.purpose ?? [])))
        await codes.beginAnew(subjectOf(challenge, purpose));
      if (message === undefined) return undefined;
      const subject = codeSubjectOf(first, challenge);
      const permit = await messageLimits.claim(message.recipient);
      if ('waitSeconds' in permit) {
        const { userId, uid, log } = challenge;
        const line = { userId, uid, because: permit.because, waitSeconds: permit.waitSeconds };
        if (permit.because === 'budget') log.warn(line, 'the budget of code messages is used up');
        else log.info(line, 'no code is sent before the limit allows it');
        return permit.because === 'budget' ? 'budget used up' : 'not yet';
      }
      const issued = await codes.issue(subject);
      // Another request of the same sign-in has already sent a code.
      if (typeof issued === 'string') {
        await permit.release();
        return 'sent already';
      }
      try {
        await deliver(message, challenge, issued, permit);
        return 'sent';
      } catch (error) {
        if (error instanceof DeliveryError) return 'not delivered';
        throw error;
      }
    },

    async resend(factor, challenge) {
      const message = requireMessage(factor, challenge);
      const subject = codeSubjectOf(factor, challenge);
      const permit = await messageLimits.claim(message.recipient);
      if ('waitSeconds' in permit) {
        // After too many wrong codes, waiting does not help: the user must enter the password again.
        if ((await codes.stateOf(subject)) === 'exhausted') throw tooManyAttempts();
        throw new ContractError('rate_limit_reached', {
          retryAfterSeconds: permit.waitSeconds,
          detail: `too many code messages for the ${permit.because}`,
        });
      }
      const issued = await codes.issue(subject);
      if (typeof issued === 'string') {
        await permit.release();
        if (issued === 'exhausted') throw tooManyAttempts();
        // The previous code was accepted in the meantime, so no new code is needed.
        return await messageLimits.waitSeconds(message.recipient);
      }
      try {
        await deliver(message, challenge, issued, permit);
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
      return await messageLimits.waitSeconds(message.recipient);
    },

    async check(factor, subject, code) {
      if (factor.check !== undefined) return await factor.check(parts, subject, code);
      return { check: await codes.check(codeSubjectOf(factor, subject), code) };
    },

    checkNewNumber: async (subject, newNumber, code) => ({
      check: await codes.check(codeSubjectOf(factors.sms, { ...subject, newNumber }), code),
    }),

    async checkOfferedApp(subject, code) {
      if (!(await codes.countTry(codeSubjectOf(factors.totp, subject)))) return { check: 'exhausted' };
      const step = apps.findOfferedStep(subject, code);
      return { check: step === undefined ? 'wrong' : 'right', step };
    },

    async describeDelivery(factor, challenge) {
      const message = findMessage(factor, challenge);
      if (message === undefined) return undefined;
      return {
        codeSent: (await codes.stateOf(codeSubjectOf(factor, challenge))) === 'awaited',
        nextCodeInSeconds: await messageLimits.waitSeconds(message.recipient),
      };
    },

    async findWait(factor, user) {
      const message = findMessage(factor, user);
      return message && (await messageLimits.findWait(message.recipient));
    },

    devices,
    countLastHour: messageLimits.countLastHour,
    apps,
  };
}

type Message = { way: MessageWay; recipient: Recipient };

function findMessage(
  { message: way }: Factor,
  { userId, owner, newNumber }: Pick<Challenge, 'userId' | 'owner' | 'newNumber'>,
): Message | undefined {
  const address = newNumber ?? way?.addressOf(owner);
  if (way === undefined || address === undefined) return undefined;
  const kind = newNumber === undefined ? way.counts : 'new phone number';
  return { way, recipient: { userId, kind, address, range: way.rangeOf?.(address) ?? '' } };
}

function tooManyAttempts(): ContractError {
  return new ContractError('mfa_max_attempts_exceeded', { detail: 'too many wrong codes' });
}

/** A code for a new number confirms only that number. */
function codeSubjectOf(
  { name, purpose }: Factor,
  { newNumber, ...subject }: FactorSubject & { newNumber?: string | undefined },
): CodeSubject {
  if (purpose === undefined) throw new Error(`the factor ${name} has no codes`);
  return newNumber === undefined
    ? subjectOf(subject, purpose)
    : { ...subjectOf(subject, 'phone-number'), phoneNumber: newNumber };
}

function subjectOf(
  { uid: boundTo, userId, securityVersion }: FactorSubject,
  purpose: CodeSubject['purpose'],
): CodeSubject {
  return { boundTo, userId, securityVersion, purpose };
}
