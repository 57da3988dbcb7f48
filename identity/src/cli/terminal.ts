import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { isCancel, password, progress, select, text } from '@clack/prompts';

/** Results go to `output`; prompts, notes and reasons go to `errors`, so that a pipe receives only results. */
export type Streams = {
  input: Readable & { isTTY?: boolean };
  output: Writable;
  errors: Writable & { isTTY?: boolean };
};

export type Terminal = {
  input: Readable;
  /** Whether the terminal is interactive. */
  canAsk: boolean;
  /** Prints a line of the result. Waits for a slow reader. */
  print: (line: string) => Promise<void>;
  note: (line: string) => void;
  ask: (question: string, findFault: (answer: string) => string | undefined) => Promise<string>;
  askSecret: (question: string) => Promise<string>;
  choose: <Value extends string>(
    question: string,
    choices: Readonly<Record<Value, string>>,
  ) => Promise<Value>;
  /** Shows a progress bar on an interactive terminal. */
  showProgress: (label: string, size: number) => Progress;
};

export type Progress = { advance: (count: number) => void; stop: () => void };

/** The operator cancelled a prompt. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

export function createTerminal({ input, output, errors }: Streams): Terminal {
  const streams = { input, output: errors };
  return {
    input,
    canAsk: input.isTTY === true && errors.isTTY === true,
    async print(line) {
      if (!output.write(`${line}\n`)) await once(output, 'drain');
    },
    note: (line) => void errors.write(`${line}\n`),
    ask: async (message, findFault) =>
      requireAnswer(await text({ ...streams, message, validate: (value) => findFault(value ?? '') })),
    askSecret: async (message) => requireAnswer(await password({ ...streams, message })),
    choose: async <Value extends string>(message: string, choices: Readonly<Record<Value, string>>) => {
      const options = Object.entries<string>(choices).map(([value, label]) => ({ value, label }));
      return requireAnswer(await select({ ...streams, message, options })) as Value;
    },
    showProgress: (label, size) =>
      errors.isTTY === true && size > 0
        ? showBar(errors, label, size)
        : { advance: () => undefined, stop: () => undefined },
  };
}

function requireAnswer<Value>(answer: Value): Exclude<Value, symbol> {
  if (isCancel(answer)) throw new CancelledError('Cancelled: nothing was written.');
  return answer as Exclude<Value, symbol>;
}

function showBar(errors: Writable, label: string, size: number): Progress {
  const bar = progress({ output: errors, max: size, size: 40 });
  bar.start(label);
  return { advance: (count) => bar.advance(count), stop: () => bar.stop(label) };
}
