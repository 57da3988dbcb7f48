import type { Factor } from './factor.ts';
import { totp } from './totp.ts';

/** A recovery code, which replaces the authenticator app once. It shares the app's attempts, and counts where the app counts. */
export const recoveryCode: Factor = {
  ...totp,
  mayBeAddedByPassword: undefined,
  mayBeAddedDuringSignIn: undefined,
  name: 'recovery-code',
  hasLongCodes: true,
  async check({ codes, apps }, { uid: boundTo, ...account }, code) {
    if (!(await codes.countTry({ ...account, boundTo, purpose: 'authenticator-app' })))
      return { check: 'exhausted' };
    const recoveryCodesLeft = await apps.spendRecoveryCode(account.userId, code);
    return { check: recoveryCodesLeft === undefined ? 'wrong' : 'right', recoveryCodesLeft };
  },
};
