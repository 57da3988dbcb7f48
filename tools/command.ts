import { spawn } from 'node:child_process';
import { root } from './root.ts';

export interface CommandResult {
  exitCode: number;
  /** Standard output and standard error, interleaved in order of arrival. */
  output: string;
  /** Only standard output, for callers that parse a report. */
  stdout: string;
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
    });
    let output = '';
    let stdout = '';
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
            child.kill('SIGKILL');
            // child processes may still hold the pipes open
            child.stdout.destroy();
            child.stderr.destroy();
            output += `\n${command} did not end within ${options.limitMinutes} minutes and was killed\n`;
            resolve({ exitCode: 124, output, stdout });
          }, options.limitMinutes * 60_000);
    child.on('error', (error) =>
      resolve({ exitCode: 127, output: `${command}: ${error.message}\n`, stdout }),
    );
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ exitCode: code ?? 1, output, stdout });
    });
  });
}
