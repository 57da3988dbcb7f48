/** E.164: a plus sign, a country code, at most 15 digits. Numbers with fewer than 7 digits do not exist. */
const dialable = /^\+[1-9]\d{6,14}$/;

/** Whether the number has a format that text messages can be sent to. */
export function isDialable(phoneNumber: string): boolean {
  return dialable.test(phoneNumber);
}

/** Normalises a number with spaces, hyphens, dots and brackets; undefined if it is not a phone number. */
export function toDialable(written: string): string | undefined {
  const phoneNumber = written.replace(/[\s().\u2010-\u2015-]/g, '');
  return isDialable(phoneNumber) ? phoneNumber : undefined;
}

/** The last digits, by which users recognise their own number without revealing it to others. */
export function phoneNumberSuffix(phoneNumber: string): string {
  return phoneNumber.slice(-2);
}

/** The range of a number: the country code and the following digits. Fraudsters who profit from messages rent numbers by range. */
export function rangeOf(phoneNumber: string): string {
  return phoneNumber.slice(0, 7);
}
