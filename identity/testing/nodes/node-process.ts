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

/** One node of the service as its own process, in production's manner but for the demo data; resolves once it listens. */
export async function startNode(
  env: Record<string, string>,
  { script = main, execArguments = [] }: { script?: URL; execArguments?: string[] } = {},
): Promise<NodeProcess> {
  const child = startChild(script, {
    env: {
      PORT: '0',
      HOST: '127.0.0.1',
      PUBLIC_URL: 'http://localhost:4400',
      ARGON2_MEMORY_KIB: '8',
      ARGON2_TIME_COST: '1',
      DATABASE_POOL_SIZE: '5',
      // on a machine that is busy with other tests nobody is to be put off; suites about that say otherwise
      DATABASE_CONNECTION_TIMEOUT_SECONDS: '20',
      DATABASE_STATEMENT_TIMEOUT_SECONDS: '20',
      HASH_QUEUE_SECONDS: '30',
      ...env,
    },
    execArguments,
  });
  const line = JSON.parse(await child.saw(/"msg":"listening"/)) as { port?: number };
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.process.kill(signal);
    return child.ended;
  };
  return {
    // the release before said no port: it was told one
    port: line.port ?? Number(env['PORT']),
    child,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}
