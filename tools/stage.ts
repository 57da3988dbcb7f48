/** What one stage of a script found: how many things held, how many did not, and what to read about those. */
export interface StageResult {
  passed: number;
  failed: number;
  /** A few words behind the stage's name: what was counted. */
  note?: string;
  /** Shown whole when something failed. */
  output?: string;
}

export interface Stage {
  name: string;
  run: () => Promise<StageResult>;
}

export interface Totals {
  passed: number;
  failed: number;
}

/** Runs one stage, prints one line with its time, and everything it said when something failed. */
export async function runStage(stage: Stage): Promise<Totals> {
  const startedMs = performance.now();
  const result = await stage.run().catch((error: unknown) => ({
    passed: 0,
    failed: 1,
    note: 'broke off',
    output: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }));
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const mark = result.failed === 0 ? '✓' : '✗';
  const note = result.note ?? '';
  if (result.failed > 0 && result.output) process.stdout.write(`\n${result.output.trimEnd()}\n\n`);
  process.stdout.write(`${mark} ${stage.name.padEnd(24)} ${`${seconds} s`.padStart(8)}  ${note}\n`);
  return { passed: result.passed, failed: result.failed };
}

/** Runs stages, at most `atOnce` at a time, and sums what they found. */
export async function runStages(stages: readonly Stage[], atOnce = 1): Promise<Totals> {
  const waiting = [...stages];
  const totals: Totals = { passed: 0, failed: 0 };
  const worker = async (): Promise<void> => {
    for (let stage = waiting.shift(); stage; stage = waiting.shift()) {
      const found = await runStage(stage);
      totals.passed += found.passed;
      totals.failed += found.failed;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return totals;
}
