/** Whether the browser can use passkeys. A separate module, so that a page can ask before it loads the ceremonies. */
export const supportsPasskeys = (): boolean =>
  'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
