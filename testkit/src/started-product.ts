import { execFileSync } from 'node:child_process';
import { startScript } from './started-script.ts';

/** The product as `npm start` runs it: processes of their own, which can be ended as a power cut would. */
export interface StartedProduct {
  /** Every process that belongs to it, the one of the sign-in service first. */
  processIds: { service: number; all: number[] };
  /** Ends one process at once, by kill -9. */
  kill: (processId: number) => void;
  /** Asks it to stop, as Ctrl+C does; resolves with its exit code. */
  stop: () => Promise<number>;
  /** Resolves with the exit code once it has ended, however it did. */
  ended: Promise<number>;
  output: () => string;
}

/** Starts the product and waits until it says that it is ready. Rejects with what it said when it is not. */
export async function startProduct(env: Record<string, string>): Promise<StartedProduct> {
  const { child, ended, output } = await startScript('tools/start.ts', env);

  const service = childrenOf(child.pid ?? 0).find(({ command }) => command.includes('identity/src/main.ts'));
  if (!service) throw new Error('The sign-in service has no process.');
  return {
    processIds: {
      service: service.id,
      all: [service.id, ...childrenOf(child.pid ?? 0).map(({ id }) => id), child.pid ?? 0],
    },
    kill: (processId) => process.kill(processId, 'SIGKILL'),
    stop: async () => {
      child.kill('SIGINT');
      return ended;
    },
    ended,
    output,
  };
}

/** The processes that this one has started and that still run. */
export function childrenOf(parentId: number): { id: number; command: string }[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((found) => found !== null && Number(found[2]) === parentId)
    .map((found) => ({ id: Number(found?.[1]), command: found?.[3] ?? '' }));
}

/** Whether a process of that id still runs. */
export function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}
