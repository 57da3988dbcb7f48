import { BrokenRuleError, ScenarioError } from './failures.ts';
import type { RuleStatement } from './failures.ts';
import type { Rule } from './rule.ts';
import { rules } from './rules.ts';
import type { Scenario } from './scenario.ts';
import type { Exchange } from './visitor.ts';

export interface Outcome {
  rule: Rule;
  /**
   * `undecided`: the scenario failed. `not offered`: the rule needs a feature that the service does not have, according
   * to the scenario.
   */
  status: 'kept' | 'broken' | 'undecided' | 'not offered';
  milliseconds: number;
  /** The broken rule: this one, or one for every answer. */
  broken?: RuleStatement;
  /** What the service did, or why the rule is undecided. */
  seen?: string;
  lastExchange?: Exchange | undefined;
}

/** Runs the rules sequentially, because they share the service's clock. */
export async function verifyService(
  scenario: Scenario,
  { only, onOutcome }: { only?: readonly string[]; onOutcome?: (outcome: Outcome) => void } = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const rule of rules) {
    if (only && !only.includes(rule.id)) continue;
    const outcome = await verifyRule(rule, scenario);
    outcomes.push(outcome);
    onOutcome?.(outcome);
  }
  return outcomes;
}

async function verifyRule(rule: Rule, scenario: Scenario): Promise<Outcome> {
  const missing = (rule.needs ?? []).filter((need) => !scenario.offers.has(need));
  if (missing.length > 0)
    return { rule, status: 'not offered', milliseconds: 0, seen: `needs: ${missing.join(', ')}` };
  let lastExchange: Exchange | undefined;
  const start = performance.now();
  const passed = () => Math.round(performance.now() - start);
  try {
    await rule.run({ ...scenario, note: (exchange) => (lastExchange = exchange) });
    return { rule, status: 'kept', milliseconds: passed() };
  } catch (error) {
    const seen = error instanceof Error ? error.message : String(error);
    const more = { milliseconds: passed(), seen, lastExchange };
    if (error instanceof ScenarioError) return { rule, status: 'undecided', ...more };
    return {
      rule,
      status: 'broken',
      broken: error instanceof BrokenRuleError ? error.broken : rule,
      ...more,
    };
  }
}
