import { hasTrunkPrefix, typedPhoneNumber } from '@anteroom/contract/typed-text';

/** E.164: a plus sign, a country code, at most 15 digits. Numbers with fewer than 7 digits do not exist. */
const dialable = /^\+[1-9]\d{6,14}$/;

/** Whether the number has a format that text messages can be sent to. */
export function isDialable(phoneNumber: string): boolean {
  return dialable.test(phoneNumber);
}

/** The number in E.164 format, or the reason why the text is none. */
export function parsePhoneNumber(typed: string): { phoneNumber: string } | { fault: string } {
  if (hasTrunkPrefix(typed))
    return {
      fault:
        'must not contain (0): write the number as it is dialled from abroad, in Italy with the 0 and elsewhere without',
    };
  const phoneNumber = typedPhoneNumber(typed);
  return isDialable(phoneNumber)
    ? { phoneNumber }
    : { fault: 'must be a number with its country code, such as +442079460142 (E.164)' };
}

/** The last two digits: users recognise their own number, and others do not learn it. */
export function phoneNumberSuffix(phoneNumber: string): string {
  return phoneNumber.slice(-2);
}

/**
 * The range of a number: its first digits, which include the country code. Limits apply per range because fraudsters
 * who earn from messages rent whole ranges of numbers.
 */
export function rangeOf(phoneNumber: string): string {
  return phoneNumber.slice(0, 7);
}
