import * as v from 'valibot';
import { maybe } from './schema.ts';

/** The second factors, in the order in which a sign-in asks for them. */
export const secondFactorNames = ['totp', 'sms', 'passkey', 'email'] as const;
export type SecondFactorName = (typeof secondFactorNames)[number];

/** The factors whose code is sent in a message (`resendMfaCode`). */
export const messageFactorNames = ['sms', 'email'] as const satisfies readonly SecondFactorName[];

/**
 * What the user can prove now, the factor that the page asks for first; only for pages that know the extension
 * `factors`. Besides second factors, `name` can be `recovery-code`. A page leaves out the names that it does not know.
 */
export const secondFactors = maybe(
  v.array(
    v.object({
      name: v.string(),
      /** Where the message goes, masked: the last digits of the phone number, or part of the e-mail address. */
      hint: maybe(v.string()),
    }),
  ),
);
