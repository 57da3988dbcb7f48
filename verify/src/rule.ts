import type { RuleStatement } from './failures.ts';
import type { Need, Scenario } from './scenario.ts';

/** One rule of the wire contract. Data, so that a report can list the rules without running them. */
export interface Rule extends RuleStatement {
  /** What the service must offer besides what every service does. */
  needs?: readonly Need[];
  /** Throws where the service does not keep the rule. */
  run: (scenario: Scenario) => Promise<void>;
}
