import type { Rule } from './rule.ts';
import { finishRules } from './rules/finish.ts';
import { passwordRules } from './rules/password.ts';
import { requestRules } from './rules/requests.ts';
import { secondFactorRules } from './rules/second-factor.ts';
import { signInRules } from './rules/sign-in.ts';
import { siteRules } from './rules/sites.ts';

/** Every rule of the wire contract that a service is held to. */
export const rules: readonly Rule[] = [
  ...requestRules,
  ...siteRules,
  ...signInRules,
  ...finishRules,
  ...secondFactorRules,
  ...passwordRules,
];
