import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { patienceMs } from './until.ts';

export type Child = {
  process: ChildProcess;
  /** Everything that the child has written so far to both streams. */
  output: () => string;
  /** Resolves once a line matches. */
  saw: (pattern: RegExp) => Promise<string>;
  /** Resolves with the exit code, or with the name of the signal that ended the child. */
  ended: Promise<number | NodeJS.Signals | null>;
};

/** Runs a TypeScript file of this package in its own process. */
export function startChild(
  script: URL,
  options: {
    arguments?: string[];
    /** Options for Node.js, such as `--import`. */
    execArguments?: string[];
    env?: Record<string, string>;
    ipc?: boolean;
    /** A file descriptor that receives the child's output instead of the test. */
    stdout?: number;
  } = {},
): Child {
  const child = spawn(
    process.execPath,
    [...(options.execArguments ?? []), fileURLToPath(script), ...(options.arguments ?? [])],
    {
      // The child process needs only these variables of the test runner's environment.
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        ...options.env,
      },
      stdio: ['ignore', options.stdout ?? 'pipe', 'pipe', ...(options.ipc === true ? ['ipc' as const] : [])],
    },
  );
  let output = '';
  const waiting = new Set<() => void>();
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const look of waiting) look();
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  // Waits for 'exit', because 'close' is not emitted after this side has closed the IPC channel.
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const ended = Promise.all([exited, readToEnd(child.stdout), readToEnd(child.stderr)]).then(
    ([[code, signal]]) => code ?? signal,
  );
  const saw = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const line = output.split('\n').find((candidate) => pattern.test(candidate));
        if (line === undefined) return;
        waiting.delete(look);
        clearTimeout(limit);
        resolve(line);
      };
      const limit = setTimeout(
        () => reject(new Error(`did not write ${pattern} within ${patienceMs / 1000} s:\n${output}`)),
        patienceMs,
      ).unref();
      waiting.add(look);
      look();
      void ended.then((code) =>
        reject(new Error(`ended with ${code} before ${pattern} was seen:\n${output}`)),
      );
    });
  return { process: child, output: () => output, saw, ended };
}

async function readToEnd(stream: Readable | null): Promise<void> {
  if (stream !== null && !stream.readableEnded) await once(stream, 'end');
}
