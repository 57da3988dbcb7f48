import { subscribe } from 'node:diagnostics_channel';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import type { App } from './app.ts';
import { parseConfig } from './config.ts';
import type { Config } from './config.ts';
import { createLog } from './lib/log.ts';
import { openStandardOutput } from './lib/standard-output.ts';
import { describeFailedStart } from './start-problems.ts';
import { reserveThreads, startService } from './start-service.ts';
import { acceptedConnections, stopInOrder } from './stop-in-order.ts';
import { toWorker } from './worker-messages.ts';
import type { Question, ToFirst, ToWorker } from './worker-messages.ts';

// The entry point of one of several workers; `workers.ts` passes the worker's number and the number of workers.

let config: Config | undefined;
try {
  const [number = 1, count = 1] = process.argv.slice(2).map(Number);
  config = takeShare(parseConfig(process.env), number, count);
  await startWorker(config, number);
} catch (error) {
  process.stderr.write(`${describeFailedStart(error, config)}\n`);
  process.exit(1);
}

/** The settings of the node, with this worker's share of the hash threads and database connections. */
function takeShare(node: Config, number: number, count: number): Config {
  const shareOf = (total: number): number => Math.floor(total / count) + (number <= total % count ? 1 : 0);
  return {
    ...node,
    workers: count,
    passwords: { ...node.passwords, concurrency: shareOf(node.passwords.concurrency) },
    database:
      node.database.kind === 'server'
        ? { ...node.database, poolSize: shareOf(node.database.poolSize) }
        : node.database,
  };
}

async function startWorker(settings: Config, number: number): Promise<void> {
  reserveThreads(settings);
  const output = openStandardOutput((lines) => log.warn({ lines }, 'lines were left out of the log'));
  const log = createLog(settings.logLevel, output).child({ worker: number });
  let isReplaced = false;
  let close = (): void => undefined;
  const mayClose = new Promise<void>((resolve) => (close = resolve));
  let beginStop = (_reason: string): void => undefined;

  const obey = ({ order }: Extract<ToWorker, { kind: 'tell' }>): void => {
    if (order === 'close') close();
    else {
      isReplaced = true;
      beginStop('another worker has taken over');
    }
  };

  /** After the drain, waits until the primary process has handed over its last queued connection. */
  async function acceptQueued(): Promise<void> {
    await send({ kind: 'drained' });
    await mayClose;
    // One more turn reads what has arrived on open connections, which would otherwise be closed as idle.
    await nextTurn();
  }

  await startService(settings, {
    log,
    output,
    // Jobs run on one process of each node.
    runsJobs: number === 1,
    openForOperators: (app) => {
      const registry = app.services.metrics.registry;
      const answer = answerTo(app);
      process.on('message', (sent) => {
        const { success, output: message } = v.safeParse(toWorker, sent);
        if (!success) return;
        if (message.kind === 'tell') obey(message);
        else
          void answer(message.question).then((told) =>
            send({ kind: 'answer', id: message.id, answer: told }),
          );
      });
      return Promise.resolve(async () =>
        send({ kind: 'last-figures', figures: await registry.getMetricsAsJSON() }),
      );
    },
    stop: (app, jobs) =>
      stopInOrder(app, jobs, settings.stop, {
        acceptQueued,
        // the other workers continue, so the node stays ready
        ...(isReplaced && { announce: app.readiness.close }),
      }),
    onStoppable: (begin) => (beginStop = begin),
    onListening: (port) => void send({ kind: 'listening', ...(port !== undefined && { port }) }),
  });
}

function answerTo(app: App): (question: Question) => Promise<unknown> {
  let accepted = 0;
  subscribe(acceptedConnections, () => void (accepted += 1));
  const all: Record<Question, () => unknown> = {
    accepted: () => accepted,
    figures: () => app.services.metrics.registry.getMetricsAsJSON(),
    readiness: () => app.checkReadiness(),
  };
  return async (question) => await all[question]();
}

/** Resolves once the message is sent, or at once if the first process has ended. */
function send(message: ToFirst): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
}
