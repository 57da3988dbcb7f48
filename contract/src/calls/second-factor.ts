import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { messageFactorNames } from '../factors.ts';
import { returnUrl } from '../schema.ts';
import { anyCode } from '../codes.ts';
import { authResponse } from './authenticate.ts';

export const verifyMfaCode = defineCall({
  method: 'POST',
  path: '/api/ui/verify-mfa-code',
  summary: 'Verify a code from a message or an authenticator app',
  kind: 'json',
  body: v.strictObject({
    /** Six digits; with the extension `totp` also a recovery code of 16 base-32 characters. */
    code: anyCode,
    /** The source of the digits, with the extension `totp` or `factors`. Default: the factor that the service requested first. */
    factor: v.optional(v.picklist(['totp', ...messageFactorNames])),
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
  body: v.strictObject({
    /** The way of the message, with the extension `factors`. Default: a text message. */
    factor: v.optional(v.picklist(messageFactorNames)),
    returnUrl: v.optional(returnUrl),
  }),
});
