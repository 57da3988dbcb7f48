import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { isCancel, password, progress, select, text } from '@clack/prompts';
import { CancelledError } from './usage-errors.ts';

/** Where a command reads and writes. Results go to `output`; questions, notes and reasons to `errors`, so that a pipe gets results alone. */
export type Streams = {
  input: Readable & { isTTY?: boolean };
  output: Writable;
  errors: Writable & { isTTY?: boolean };
};

export type Terminal = {
  input: Readable;
  /** Somebody sits there who can be asked. */
  canAsk: boolean;
  /** A result; waits for a slow reader. */
  print: (line: string) => Promise<void>;
  note: (line: string) => void;
  ask: (question: string, findFault: (answer: string) => string | undefined) => Promise<string>;
  askSecret: (question: string) => Promise<string>;
  choose: <Value extends string>(
    question: string,
    choices: Readonly<Record<Value, string>>,
  ) => Promise<Value>;
  /** A bar while a long thing is done, where somebody looks. */
  showProgress: (label: string, size: number) => Progress;
};

export type Progress = { advance: (count: number) => void; stop: () => void };

export function createTerminal({ input, output, errors }: Streams): Terminal {
  const asked = { input, output: errors };
  return {
    input,
    canAsk: input.isTTY === true && errors.isTTY === true,
    async print(line) {
      if (!output.write(`${line}\n`)) await once(output, 'drain');
    },
    note: (line) => void errors.write(`${line}\n`),
    ask: async (message, findFault) =>
      answered(await text({ ...asked, message, validate: (value) => findFault(value ?? '') })),
    askSecret: async (message) => answered(await password({ ...asked, message })),
    choose: async <Value extends string>(message: string, choices: Readonly<Record<Value, string>>) => {
      const options = Object.entries<string>(choices).map(([value, label]) => ({ value, label }));
      return answered(await select({ ...asked, message, options })) as Value;
    },
    showProgress: (label, size) =>
      errors.isTTY === true && size > 0
        ? showBar(errors, label, size)
        : { advance: () => undefined, stop: () => undefined },
  };
}

function answered<Value>(answer: Value): Exclude<Value, symbol> {
  if (isCancel(answer)) throw new CancelledError('Cancelled: nothing was written.');
  return answer as Exclude<Value, symbol>;
}

function showBar(errors: Writable, label: string, size: number): Progress {
  const bar = progress({ output: errors, max: size, size: 40 });
  bar.start(label);
  return { advance: (count) => bar.advance(count), stop: () => bar.stop(label) };
}
