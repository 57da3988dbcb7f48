import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { siteNameMaximumLength, userNameMaximumLength } from '../limits.ts';
import { maybe, returnUrl } from '../schema.ts';
import { authResponse } from './authenticate.ts';

export interface PolicyLine {
  line: string;
  subPolicies?: PolicyLine[] | undefined;
}

export const policyLine: v.GenericSchema<unknown, PolicyLine> = v.object({
  line: v.string(),
  subPolicies: maybe(v.array(v.lazy(() => policyLine))),
});

/**
 * The password rules. The translation key of each line is `passwordPolicy.<line>`. The placeholders of its text are the
 * other properties of the answer (`minimumLength`, `maximumLength`, …).
 */
export const passwordPolicyAnswer = v.looseObject({ policyLines: v.array(policyLine) });
export type PasswordPolicy = v.InferOutput<typeof passwordPolicyAnswer>;

const siteName = v.pipe(v.string(), v.maxLength(siteNameMaximumLength));
const userName = v.pipe(v.string(), v.maxLength(userNameMaximumLength));

export const passwordPolicy = defineCall({
  method: 'POST',
  path: '/api/ui/password-policy',
  summary: 'The password rules for a user at a site',
  kind: 'json',
  body: v.strictObject({ userName: v.optional(userName), site: v.optional(siteName) }),
  answer: passwordPolicyAnswer,
});

export const passwordReset = defineCall({
  method: 'POST',
  path: '/api/ui/password-reset',
  summary: 'Change the password, whether the service requires the change or the user asked for it',
  kind: 'json',
  body: v.strictObject({
    returnUrl: v.optional(returnUrl),
    currentPassword: v.string(),
    newPassword: v.string(),
    newPasswordConfirmation: v.string(),
    authSite: v.optional(siteName),
    site: v.optional(siteName),
    userName: v.optional(userName),
  }),
  answer: authResponse,
  password: 'checked',
});
