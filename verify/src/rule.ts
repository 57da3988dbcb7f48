import type { RuleStatement } from './failures.ts';
import type { Need, Scenario } from './scenario.ts';

/** One rule of the wire contract. A plain object, so that a report can list the rules without running them. */
export interface Rule extends RuleStatement {
  /** The optional features that the rule requires of the service. */
  needs?: readonly Need[];
  /** Throws if the service breaks the rule. */
  run: (scenario: Scenario) => Promise<void>;
}
