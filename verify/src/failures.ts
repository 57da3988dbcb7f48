/** A rule as reports show it. */
export interface RuleStatement {
  /** The id. It never changes, because reports and lists of exceptions refer to it. */
  id: `${string}.${string}`;
  /** The rule in one sentence. */
  rule: string;
  /** The section of the wire contract with the rule. */
  section: string;
}

/** Thrown when an answer violates a rule for every answer; the report names that rule. */
export class BrokenRuleError extends Error {
  override readonly name = 'BrokenRuleError';
  readonly broken: RuleStatement;

  constructor(broken: RuleStatement, seen: string) {
    super(seen);
    this.broken = broken;
  }
}

/** Thrown when the service could not be brought into a state: the rule is neither kept nor broken. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}
