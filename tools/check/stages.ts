import { runCommand } from '../command.ts';
import type { Stage, StageResult } from '../stage.ts';
import { checkCoverage } from './coverage.ts';
import { checkSourceRules } from './source-rules.ts';
import { checkLogicalProperties } from './logical-properties.ts';
import { checkWeight } from './weight.ts';

/** Runs a command as a stage, which passes if the command succeeds. */
async function commandStage(command: string, args: readonly string[]): Promise<StageResult> {
  const { exitCode, output } = await runCommand(command, args);
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, output };
}

/** The checks that do not run the product. */
export const checkStages: readonly Stage[] = [
  { name: 'types and lint', run: async () => commandStage('oxlint', []) },
  { name: 'format', run: async () => commandStage('oxfmt', ['--check']) },
  { name: 'flow diagram', run: async () => commandStage('node', ['tools/draw-flow.ts', '--check']) },
  {
    name: 'metrics, log fields and audit events',
    run: async () => commandStage('node', ['tools/write-observability.ts', '--check']),
  },
  { name: 'personal data', run: async () => commandStage('node', ['tools/write-privacy.ts', '--check']) },
  {
    name: 'password lists',
    run: async () => commandStage('node', ['identity/src/passwords/write-password-lists.ts', '--check']),
  },
  { name: 'openapi', run: async () => commandStage('node', ['contract/src/write-openapi.ts', '--check']) },
  {
    name: 'interoperability',
    run: async () => commandStage('node', ['tools/write-interoperability.ts', '--check']),
  },
  { name: 'unused code', run: async () => commandStage('knip', ['--no-progress']) },
  { name: 'coverage', run: checkCoverage },
  { name: 'source rules', run: checkSourceRules },
  { name: 'logical properties', run: checkLogicalProperties },
  { name: 'weight', run: checkWeight },
];
