/** The result of a stage: the numbers of passed and failed checks, and the output for failures. */
export interface StageResult {
  passed: number;
  failed: number;
  /** A short summary shown after the stage's name. */
  note?: string;
  /** Shown completely if the stage fails. */
  output?: string;
}

export interface Stage {
  name: string;
  run: () => Promise<StageResult>;
}

/** A completed stage with its duration. */
export interface StageRun {
  name: string;
  passed: number;
  failed: number;
  seconds: number;
}

/** Runs a stage, and prints a line with its duration and, on failure, its output. */
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

/** Runs stages, at most `atOnce` in parallel. */
export async function runStages(stages: readonly Stage[], atOnce = 1): Promise<StageRun[]> {
  const waiting = [...stages];
  const runs: StageRun[] = [];
  const worker = async (): Promise<void> => {
    for (let stage = waiting.shift(); stage; stage = waiting.shift()) runs.push(await runStage(stage));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return runs;
}

/** Prints the summary line of every script and sets its exit code. */
export function closeWith(runs: readonly StageRun[]): void {
  const sum = (part: 'passed' | 'failed'): number => runs.reduce((total, run) => total + run[part], 0);
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);
  process.exitCode = sum('failed') === 0 ? 0 : 1;
}
