import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface StartedScript {
  child: ChildProcess;
  /** Resolves with the exit code in any case. */
  ended: Promise<number>;
  output: () => string;
}

/** Runs a script of the root package until it reports that everything is ready. Rejects with its output if it fails. */
export async function startScript(script: string, env: Record<string, string>): Promise<StartedScript> {
  const child = spawn(process.execPath, [script], {
    cwd: root,
    env: { ...process.env, ...env },
    // The IPC channel ends the script when its parent ends, even if a journey fails before stopping the script.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const ready = Promise.withResolvers<void>();
  const listen = (text: string): void => {
    output += text;
    if (/^Anteroom is ready$/m.test(output)) ready.resolve();
  };
  child.stdout?.setEncoding('utf8').on('data', listen);
  child.stderr?.setEncoding('utf8').on('data', listen);
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  void ended.then((code) => ready.reject(new Error(`${script} ended with ${code}:\n${output}`)));
  await ready.promise;
  return { child, ended, output: () => output };
}
