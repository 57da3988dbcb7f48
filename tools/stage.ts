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

/** A stage that has run, and how long it took. */
export interface StageRun {
  name: string;
  passed: number;
  failed: number;
  seconds: number;
}

/** Runs one stage, prints one line with its time, and everything it said when something failed. */
async function runStage(stage: Stage): Promise<StageRun> {
  const startedMs = performance.now();
  const result = await stage.run().catch((error: unknown) => ({
    passed: 0,
    failed: 1,
    note: 'broke off',
    output: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }));
  const seconds = (performance.now() - startedMs) / 1000;
  const mark = result.failed === 0 ? '✓' : '✗';
  const note = result.note ?? '';
  if (result.failed > 0 && result.output) process.stdout.write(`\n${result.output.trimEnd()}\n\n`);
  process.stdout.write(
    `${mark} ${stage.name.padEnd(24)} ${`${seconds.toFixed(1)} s`.padStart(8)}  ${note}\n`,
  );
  return { name: stage.name, passed: result.passed, failed: result.failed, seconds };
}

/** Runs stages, at most `atOnce` at a time. */
export async function runStages(stages: readonly Stage[], atOnce = 1): Promise<StageRun[]> {
  const waiting = [...stages];
  const runs: StageRun[] = [];
  const worker = async (): Promise<void> => {
    for (let stage = waiting.shift(); stage; stage = waiting.shift()) runs.push(await runStage(stage));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return runs;
}

/** Prints the line that every script ends with, and gives the script its exit code. */
export function closeWith(runs: readonly StageRun[]): void {
  const sum = (part: 'passed' | 'failed'): number => runs.reduce((total, run) => total + run[part], 0);
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);
  process.exitCode = sum('failed') === 0 ? 0 : 1;
}
