import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { startChild } from '../child-process.ts';
import type { Child } from '../child-process.ts';

export type NodeProcess = {
  port: number;
  child: Child;
  /** As an operator does: SIGTERM. Resolves with what it ended with. */
  stop: () => Promise<number | NodeJS.Signals | null>;
  /** As a machine does: nothing is finished, nothing is said. */
  kill: () => Promise<void>;
};

const main = new URL('../../src/main.ts', import.meta.url);

/**
 * One node of the service as its own process, in production's manner but for the demo data; resolves once it listens. With a `stdout`
 * of its own (a file descriptor) it must be given its PORT.
 */
export async function startNode(
  env: Record<string, string>,
  {
    script = main,
    execArguments = [],
    stdout,
  }: { script?: URL; execArguments?: string[]; stdout?: number } = {},
): Promise<NodeProcess> {
  const child = startChild(script, {
    env: {
      PORT: '0',
      HOST: '127.0.0.1',
      PUBLIC_URL: 'http://localhost:4400',
      WEB_DIST: 'none',
      ARGON2_MEMORY_KIB: '8',
      ARGON2_TIME_COST: '1',
      DATABASE_POOL_SIZE: '5',
      // on a machine that is busy with other tests nobody is to be put off; suites about that say otherwise
      DATABASE_CONNECTION_TIMEOUT_SECONDS: '20',
      DATABASE_STATEMENT_TIMEOUT_SECONDS: '20',
      HASH_QUEUE_SECONDS: '30',
      // all visitors of a test come from one address
      ANONYMOUS_REQUESTS_PER_TEN_MINUTES: '1000000',
      ...env,
    },
    execArguments,
    ...(stdout !== undefined && { stdout }),
  });
  const told = Number(env['PORT'] ?? 0);
  const port = stdout === undefined ? await readPort(child, told) : await waitUntilTaken(child, told);
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.process.kill(signal);
    return child.ended;
  };
  return {
    port,
    child,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}

/** What the node says of itself; the release before said no port. */
async function readPort(child: Child, told: number): Promise<number> {
  const line = JSON.parse(await child.saw(/"msg":"listening"/)) as { port?: number };
  return line.port ?? told;
}

/** Where nothing can be read of a node, it is asked. */
async function waitUntilTaken(child: Child, port: number): Promise<number> {
  while (child.process.exitCode === null && !(await isListening(port))) await wait(50);
  return port;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
