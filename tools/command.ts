import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { root } from './root.ts';

export interface CommandResult {
  exitCode: number;
  /** Standard output and standard error, interleaved in order of arrival. */
  output: string;
  /** Only standard output, for callers that parse a report. */
  stdout: string;
}

/** The running commands. Each leads its own group of processes, so that it ends with all that it has started. */
const running = new Set<ChildProcess>();

function endGroup({ pid }: ChildProcess): void {
  try {
    // on Windows there are no groups
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // it has ended already
  }
}

const endAll = (): void => {
  for (const child of running) endGroup(child);
};
const leave = (): void => process.exit(1);
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** While commands run, an end of this process, or of npm (`disconnect`), ends them too. */
function add(child: ChildProcess): void {
  if (running.size === 0) {
    // before others remove the files of the commands
    process.prependListener('exit', endAll).on('disconnect', leave);
    for (const signal of signals) process.on(signal, leave);
  }
  running.add(child);
}

function remove(child: ChildProcess): void {
  running.delete(child);
  if (running.size > 0) return;
  process.off('exit', endAll).off('disconnect', leave);
  for (const signal of signals) process.off(signal, leave);
}

/**
 * Runs a command in the project folder and collects its output. A command that cannot be started yields exit code 127,
 * so that a stage can report it. A command that exceeds `limitMinutes` is killed and yields exit code 124, so that a
 * hanging command fails only its own stage.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; folder?: string; show?: boolean; limitMinutes?: number } = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.folder ?? root,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    add(child);
    let output = '';
    let stdout = '';
    let exitCode: number | undefined;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      stdout += text;
      if (options.show) process.stdout.write(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (options.show) process.stderr.write(text);
    });
    const limit =
      options.limitMinutes === undefined
        ? undefined
        : setTimeout(() => {
            endGroup(child);
            output += `\n${command} did not end within ${options.limitMinutes} minutes and was killed\n`;
            exitCode = 124;
          }, options.limitMinutes * 60_000);
    child.on('error', (error) => {
      exitCode = 127;
      output = `${command}: ${error.message}\n`;
    });
    child.on('close', (code) => {
      clearTimeout(limit);
      remove(child);
      resolve({ exitCode: exitCode ?? code ?? 1, output, stdout });
    });
  });
}
