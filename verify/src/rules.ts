import type { Rule } from './rule.ts';
import { passwordRules } from './rules/password.ts';
import { requestRules } from './rules/requests.ts';
import { secondFactorRules } from './rules/second-factor.ts';
import { signInRules } from './rules/sign-in.ts';

/** Every rule of the wire contract that a service is held to. */
export const rules: readonly Rule[] = [
  ...requestRules,
  ...signInRules,
  ...secondFactorRules,
  ...passwordRules,
];
