import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { startChild } from '../child-process.ts';
import type { Child } from '../child-process.ts';

export type NodeProcess = {
  port: number;
  child: Child;
  /** Sends SIGTERM. Resolves with the exit code. */
  stop: () => Promise<number | NodeJS.Signals | null>;
  /** Sends SIGKILL. */
  kill: () => Promise<void>;
};

const main = new URL('../../src/main.ts', import.meta.url);

/**
 * Starts a node of the service in its own process, with demo data. Resolves once it listens. With `stdout` (a file
 * descriptor), PORT is required because the port cannot be read from the output.
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
      // generous, because the machine may be busy with other tests; tests of these limits override them
      DATABASE_STATEMENT_TIMEOUT_SECONDS: '40',
      HASH_QUEUE_SECONDS: '30',
      // all visitors of a test have the same address
      LIMIT_ADDRESS_FAILURES: '100000',
      ...env,
    },
    execArguments,
    ...(stdout !== undefined && { stdout }),
  });
  const configured = Number(env['PORT'] ?? 0);
  const port =
    stdout === undefined ? await readPort(child, configured) : await waitUntilListening(child, configured);
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

/** Reads the port from the log. The previous release does not log it. */
async function readPort(child: Child, configured: number): Promise<number> {
  const line = JSON.parse(await child.saw(/"msg":"listening"/)) as { port?: number };
  return line.port ?? configured;
}

/** Waits for a node whose output cannot be read. */
async function waitUntilListening(child: Child, port: number): Promise<number> {
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
