import { runCommand } from '../command.ts';
import type { Stage, StageResult } from '../stage.ts';
import { checkCoverage } from './coverage.ts';
import { checkHouseRules } from './house-rules.ts';
import { checkLogicalProperties } from './logical-properties.ts';
import { checkTypes } from './types.ts';
import { checkWeight } from './weight.ts';

/** A stage that is one command: it holds when the command succeeds. */
async function holds(command: string, args: readonly string[]): Promise<StageResult> {
  const { exitCode, output } = await runCommand(command, args);
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, output };
}

/** Everything that is checked without running the product. */
export const checkStages: readonly Stage[] = [
  { name: 'types', run: checkTypes },
  { name: 'lint', run: async () => holds('oxlint', []) },
  { name: 'format', run: async () => holds('oxfmt', ['--check']) },
  { name: 'picture of the flow', run: async () => holds('node', ['tools/draw-flow.ts', '--check']) },
  {
    name: 'metrics, log fields and audit events',
    run: async () => holds('node', ['tools/write-observability.ts', '--check']),
  },
  { name: 'personal data', run: async () => holds('node', ['tools/write-privacy.ts', '--check']) },
  { name: 'openapi', run: async () => holds('node', ['contract/src/write-openapi.ts', '--check']) },
  {
    name: 'interoperability',
    run: async () => holds('node', ['tools/write-interoperability.ts', '--check']),
  },
  { name: 'unused code', run: async () => holds('knip', ['--no-progress']) },
  { name: 'coverage', run: checkCoverage },
  { name: 'house rules', run: checkHouseRules },
  { name: 'logical properties', run: checkLogicalProperties },
  { name: 'weight', run: checkWeight },
];
