import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { mfaCodeLength } from '../limits.ts';
import { returnUrl } from '../schema.ts';
import { authResponse } from './authenticate.ts';

export const verifyMfaCode = defineCall({
  method: 'POST',
  path: '/api/ui/verify-mfa-code',
  summary: 'Verify a code from a text message or an authenticator app',
  kind: 'json',
  body: v.strictObject({
    /** Six digits; with the extension `totp` also a recovery code of 16 base-32 characters. */
    code: v.pipe(v.string(), v.regex(new RegExp(`^(?:[0-9]{${mfaCodeLength}}|[A-Z2-7]{16})$`))),
    /** The source of the digits, with the extension `totp`. Default: the factor that the service requested first. */
    factor: v.optional(v.picklist(['totp', 'sms'])),
    returnUrl: v.optional(returnUrl),
    publicComputerSignIn: v.optional(v.boolean()),
  }),
  answer: authResponse,
});

/** `Retry-After` of the response is the number of seconds until the next resend (default: `resendWaitSeconds`). */
export const resendMfaCode = defineCall({
  method: 'POST',
  path: '/api/ui/resend-mfa-code',
  summary: 'Send the code again',
  kind: 'empty',
  body: v.strictObject({ returnUrl: v.optional(returnUrl) }),
});
