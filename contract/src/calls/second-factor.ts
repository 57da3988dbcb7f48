import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { mfaCodeLength } from '../limits.ts';
import { returnUrl } from '../schema.ts';
import { authResponse } from './authenticate.ts';

export const verifyMfaCode = defineCall({
  method: 'POST',
  path: '/api/ui/verify-mfa-code',
  summary: 'Prove the second factor with the code of the message',
  kind: 'json',
  body: v.strictObject({
    code: v.pipe(v.string(), v.length(mfaCodeLength), v.digits()),
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
