import { supported } from '../api/send-call.ts';

/** Whether the browser can use passkeys. A separate module, so that a page can ask before it loads the ceremonies. */
export const supportsPasskeys = (): boolean =>
  'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Whether this device can store a passkey and verify its user. */
export const canCreate = async (): Promise<boolean> =>
  supportsPasskeys() && (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable());

/**
 * Lets later calls name the extension `passkey-offer` if this device can create a passkey, so that no other browser is
 * sent to the page of the offer, which would only redirect it.
 */
export const supportOffer = (): Promise<boolean> =>
  canCreate().then(
    (can) => can && supported.push('passkey-offer') > 0,
    () => false,
  );
