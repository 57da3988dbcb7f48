import type { Rule } from './rule.ts';
import { finishRules } from './rules/finish.ts';
import { passwordRules } from './rules/password.ts';
import { regionRules } from './rules/regions.ts';
import { requestRules } from './rules/requests.ts';
import { secondFactorRules } from './rules/second-factor.ts';
import { signInRules } from './rules/sign-in.ts';
import { siteLimitRules, siteRules } from './rules/sites.ts';

/** All rules of the wire contract for a service. */
export const rules: readonly Rule[] = [
  ...requestRules,
  ...regionRules,
  ...siteRules,
  ...signInRules,
  ...finishRules,
  ...secondFactorRules,
  ...passwordRules,
  // Runs last, because it blocks the address of the kit and advances the clock most.
  ...siteLimitRules,
];
