import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { answers, toFirst } from './worker-messages.ts';
import type { AnswerOf, ProcessMetrics, Order, Question, ToWorker } from './worker-messages.ts';

/** A worker whose event loop is blocked for longer does not answer visitors either. */
const longestAnswerMs = 5_000;

/** The first process's handle of a worker. */
export type WorkerProcess = {
  number: number;
  isListening: () => boolean;
  /** Whether another worker has its number now. */
  isReplaced: () => boolean;
  /** Resolves to the port, or to undefined if the worker ended before it listened. */
  listening: Promise<number | undefined>;
  /** Resolves when the worker waits for permission to close its port, or has ended. */
  drained: Promise<void>;
  /** Resolves to 0, another exit code or a signal. */
  ended: Promise<number | string>;
  /** Resolves once its last log line has been read. */
  closed: Promise<void>;
  /** Resolves to undefined if the worker does not answer. */
  ask: <Q extends Question>(question: Q) => Promise<AnswerOf<Q> | undefined>;
  /** The metrics that the worker last reported. */
  lastMetrics: () => ProcessMetrics;
  mayClose: () => void;
  /** Shuts the worker down, because its replacement, with the same number, is listening. */
  replace: () => void;
  kill: (signal: 'SIGTERM' | 'SIGKILL') => void;
};

export function forkWorker(number: number, count: number, writeLine: (line: string) => void): WorkerProcess {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('./worker.ts', import.meta.url)),
    args: [String(number), String(count)],
    // Standard output goes through this process, because lines that several processes write at once would mix.
    stdio: ['inherit', 'pipe', 'inherit', 'ipc'],
  });
  const worker = cluster.fork();
  const child = worker.process;
  if (child.stdout !== null) forwardLines(child.stdout, writeLine);
  closeUntakenConnections(child);

  let isListening = false;
  let isReplaced = false;
  let metrics: ProcessMetrics = [];
  let lastId = 0;
  const asking = new Map<number, (answer: unknown) => void>();
  const ended = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 1));
    // the operating system could not start the process
    child.on('error', (error) => child.pid ?? resolve(error.message));
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const hasEnded = ended.then(() => undefined);

  const port = Promise.withResolvers<number | undefined>();
  const drain = Promise.withResolvers<void>();
  worker.on('message', (sent: unknown) => {
    const { success, output: message } = v.safeParse(toFirst, sent);
    if (!success) return;
    switch (message.kind) {
      case 'answer':
        asking.get(message.id)?.(message.answer);
        return;
      case 'listening':
        isListening = true;
        port.resolve(message.port);
        return;
      case 'drained':
        drain.resolve();
        return;
      case 'last-figures':
        metrics = message.figures;
    }
  });

  const send = (message: ToWorker): void => {
    // No error for a worker that has just ended: `ended` reports that.
    if (worker.isConnected()) child.send(message, () => undefined);
  };
  const sendOrder = (order: Order): void => send({ kind: 'tell', order });

  return {
    number,
    isListening: () => isListening,
    isReplaced: () => isReplaced,
    listening: Promise.race([port.promise, hasEnded]),
    drained: Promise.race([drain.promise, hasEnded]),
    ended,
    closed,
    async ask<Q extends Question>(question: Q) {
      lastId += 1;
      const id = lastId;
      const answered = Promise.withResolvers<unknown>();
      asking.set(id, answered.resolve);
      const timer = setTimeout(answered.resolve, longestAnswerMs);
      send({ kind: 'ask', id, question });
      const answer = await Promise.race([answered.promise, hasEnded]);
      clearTimeout(timer);
      asking.delete(id);
      const { success, output } = v.safeParse<(typeof answers)[Q]>(answers[question], answer);
      if (question === 'figures' && success) metrics = output as ProcessMetrics;
      return success ? output : undefined;
    },
    lastMetrics: () => metrics,
    mayClose: () => sendOrder('close'),
    replace() {
      isReplaced = true;
      sendOrder('replace');
    },
    kill: (signal) => void child.kill(signal),
  };
}

/**
 * The most connections on their way to one worker: the cluster module passes one per listening address, and waits until
 * the worker has received it.
 */
const passedAtOnce = 4;

/**
 * Closes the connections that an ended worker never received. The cluster module would keep them open for ever, so that
 * their visitors wait until the browser gives up. For a connection that the worker did receive, closing this process's
 * handle has no effect.
 */
function closeUntakenConnections(child: ChildProcess): void {
  const passed: { close: () => void }[] = [];
  const send = child.send.bind(child) as (...sent: unknown[]) => boolean;
  child.send = (...sent: unknown[]): boolean => {
    const [, handle] = sent;
    if (v.is(closable, handle)) passed.push(handle);
    if (passed.length > passedAtOnce) passed.shift();
    return send(...sent);
  };
  child.once('exit', () => {
    for (const handle of passed) handle.close();
  });
}

const closable = v.custom<{ close: () => void }>(
  (input) =>
    typeof input === 'object' && input !== null && 'close' in input && typeof input.close === 'function',
);

/** Passes output on in whole lines. */
function forwardLines(stream: Readable, writeLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) writeLine(`${line}\n`);
  });
  stream.on('end', () => {
    if (rest !== '') writeLine(`${rest}\n`);
  });
}
