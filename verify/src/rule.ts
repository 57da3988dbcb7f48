import type { Scenario } from './scenario.ts';

/**
 * What not every scenario offers: a service that tells browsers apart, and the optional members of the wire contract for the organisation
 * of a site and for sign-ins that are finished.
 */
export type Need = 'several browsers' | 'organisations' | 'finished sign-ins';

/** One rule of the wire contract, as a service keeps it. Data, so that a report can list the rules without running them. */
export interface Rule {
  /** Stable: reports and lists of exceptions go by it. */
  id: `${string}.${string}`;
  /** One sentence. */
  rule: string;
  /** The section of the wire contract that says so. */
  section: string;
  /** What the scenario must offer besides what every scenario does. */
  needs?: readonly Need[];
  /** Throws where the service does not keep the rule. */
  run: (scenario: Scenario) => Promise<void>;
}
