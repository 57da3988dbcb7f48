/** E.164: a plus sign, a country code, at most 15 digits. Numbers with fewer than 7 digits do not exist. */
const dialable = /^\+[1-9]\d{6,14}$/;

/** Whether the number has a format that text messages can be sent to. */
export function isDialable(phoneNumber: string): boolean {
  return dialable.test(phoneNumber);
}

/** Removes spaces, hyphens, dots and brackets from a number; undefined if the result is not a phone number. */
export function toDialable(written: string): string | undefined {
  const phoneNumber = written.replace(/[\s().\u2010-\u2015-]/g, '');
  return isDialable(phoneNumber) ? phoneNumber : undefined;
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
