import type { PresentAccount } from '../../api/account-client.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import type { FrameAction } from '../../ui/link/action.ts';

/** With fewer recovery codes, the user should make new ones. */
const fewRecoveryCodes = 4;

export interface NextStep {
  row: string;
  /** The action of the row that begins the step. */
  action: FrameAction;
  label: MessageKey;
}

/** Whether a passkey would be the only second factor, so that a device without it could not sign in. */
export const hasPasswordWithoutCodes = ({
  password,
  authenticatorApp,
  phoneNumber,
}: PresentAccount): boolean =>
  password !== undefined && authenticatorApp === undefined && phoneNumber === undefined;

const setUpApp: NextStep = { row: 'app', action: 'set-up-app', label: 'account.app.setUp' };

/** Whether a passkey or an app protects the account, and no step would make it safer. */
export const isProtected = (account: PresentAccount): boolean =>
  findNextStep(account) === undefined &&
  (account.authenticatorApp !== undefined || (account.passkeys ?? []).length > 0);

/**
 * The step that makes the account safer, if there is one: a passkey cannot be phished, an app cannot be redirected like
 * a text message, and recovery codes help when a phone is lost. A user with a password alone first sets up an app, which
 * also signs in where a passkey is missing.
 */
export function findNextStep(account: PresentAccount): NextStep | undefined {
  const { passkeys, mayAddPasskey, authenticatorApp, mayAddCodeFactor, password } = account;
  if (hasPasswordWithoutCodes(account) && mayAddCodeFactor) return setUpApp;
  if (mayAddPasskey && passkeys?.length === 0)
    return { row: 'passkeys', action: 'create-passkey', label: 'account.passkeys.add' };
  if (password === undefined) return undefined;
  if (authenticatorApp === undefined) return mayAddCodeFactor ? setUpApp : undefined;
  return authenticatorApp.recoveryCodesLeft < fewRecoveryCodes
    ? { row: 'recovery-codes', action: 'make-recovery-codes', label: 'account.recoveryCodes.renew' }
    : undefined;
}
