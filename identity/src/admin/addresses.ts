export const addressMaximumLength = 2000;

/** Whether a text is an http(s) address without credentials, and without characters that programs read differently. */
export function isHttpAddress(value: string): boolean {
  const url = URL.parse(value);
  return (
    url !== null &&
    /^https?:\/\/[^/?#]/i.test(value) &&
    !/[\s\\]/.test(value) &&
    url.username === '' &&
    url.password === ''
  );
}
