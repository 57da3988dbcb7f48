/** E.164: a plus, a country, at most 15 digits; shorter than 7 is nobody's number. */
const dialable = /^\+[1-9]\d{6,14}$/;

/** Whether a text message can be sent there at all. */
export function isDialable(phoneNumber: string): boolean {
  return dialable.test(phoneNumber);
}

/** What the person recognises their own number by, and nobody else learns it from. */
export function phoneNumberSuffix(phoneNumber: string): string {
  return phoneNumber.slice(-2);
}

/** The numbers that begin alike: the country and what follows it, which is what somebody who earns by the message rents. */
export function rangeOf(phoneNumber: string): string {
  return phoneNumber.slice(0, 7);
}
