/** Whether the browser can use passkeys. A separate module, so that a page can ask before it loads the ceremonies. */
export const supportsPasskeys = (): boolean =>
  'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Whether this device can store a passkey and verify its user. */
export const canCreate = async (): Promise<boolean> =>
  supportsPasskeys() && (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable());
