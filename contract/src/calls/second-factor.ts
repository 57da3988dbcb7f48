import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { mfaCodeLength } from '../limits.ts';
import { returnUrl } from '../schema.ts';
import { authResponse } from './authenticate.ts';

export const verifyMfaCode = defineCall({
  method: 'POST',
  path: '/api/ui/verify-mfa-code',
  summary: 'Prove the second factor with the code of the message or of the authenticator app',
  kind: 'json',
  body: v.strictObject({
    /** Six digits; with the extension `totp` a recovery code of 16 characters in base 32 too. */
    code: v.pipe(v.string(), v.regex(new RegExp(`^(?:[0-9]{${mfaCodeLength}}|[A-Z2-7]{16})$`))),
    /** With the extension `totp`: where the digits come from. Absent: from what the service asked for first. */
    factor: v.optional(v.picklist(['totp', 'sms'])),
    returnUrl: v.optional(returnUrl),
    publicComputerSignIn: v.optional(v.boolean()),
  }),
  answer: authResponse,
});

/** The answer's `Retry-After` gives the seconds until the next one, 30 if absent. */
export const resendMfaCode = defineCall({
  method: 'POST',
  path: '/api/ui/resend-mfa-code',
  summary: 'Send the code again',
  kind: 'empty',
  body: v.strictObject({ returnUrl: v.optional(returnUrl) }),
});
