import { ContractError } from '../http/errors.ts';
import { countsWhereAccepted, whereAppsAreAllowed } from './factor.ts';
import type { Factor, FactorOwner } from './factor.ts';
import { isDialable, phoneNumberSuffix, rangeOf } from './phone-number.ts';

const suffixOf = ({ phoneNumber }: FactorOwner): string | undefined =>
  phoneNumber === undefined ? undefined : phoneNumberSuffix(phoneNumber);

/** A code by text message. */
export const sms: Factor = {
  name: 'sms',
  countsAs: 'sms',
  proof: 'sms-code',
  method: 'sms',
  alsoAmr: [],
  strength: 'with another',
  extension: undefined,
  isOf: ({ phoneNumber }) => phoneNumber !== undefined,
  countsAt: countsWhereAccepted('sms'),
  isAcceptedByDefault: true,
  hint: suffixOf,
  contractSuffix: suffixOf,
  message: {
    counts: 'phone number',
    addressOf: ({ phoneNumber }) => phoneNumber,
    requireReachable({ numberPrefixes }, { userId, log }, phoneNumber) {
      const isAllowed =
        numberPrefixes.length === 0 || numberPrefixes.some((prefix) => phoneNumber.startsWith(prefix));
      if (isDialable(phoneNumber) && isAllowed) return;
      log.warn({ userId, isAllowed }, 'no code can be sent to this phone number');
      throw new ContractError('mfa_invalid_phone_number', {
        detail: 'the number must be dialable and begin with an allowed prefix',
      });
    },
    rangeOf,
    deliver: ({ sendSms }, message) => sendSms(message),
  },
  purpose: 'sign-in',
  mayBeAddedByPassword: whereAppsAreAllowed,
};
