/** What a report says about a rule. */
export interface RuleStatement {
  /** Stable: reports and lists of exceptions refer to it. */
  id: `${string}.${string}`;
  /** One sentence. */
  rule: string;
  /** The section of the wire contract that says so. */
  section: string;
}

/** Thrown where an answer breaks a rule of every answer; the report names that rule. */
export class BrokenRuleError extends Error {
  override readonly name = 'BrokenRuleError';
  readonly broken: RuleStatement;

  constructor(broken: RuleStatement, seen: string) {
    super(seen);
    this.broken = broken;
  }
}

/** Thrown where a service could not be brought into a state: the rule is neither kept nor broken. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}
