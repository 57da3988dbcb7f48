import { execFileSync } from 'node:child_process';
import { startScript } from './started-script.ts';

/** The product as started by `npm start`: separate processes, which can be killed as in a power failure. */
export interface StartedProduct {
  /** All processes of the product, the sign-in service first. */
  processIds: { service: number; all: number[] };
  /** Kills one process with kill -9. */
  kill: (processId: number) => void;
  /** Requests a shutdown, like Ctrl+C; resolves with the exit code. */
  stop: () => Promise<number>;
  /** Resolves with the exit code in any case. */
  ended: Promise<number>;
  output: () => string;
}

/** Starts the product and waits until it reports that it is ready. Rejects with its output if it fails. */
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

/** The running child processes. */
export function childrenOf(parentId: number): { id: number; command: string }[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((found) => found !== null && Number(found[2]) === parentId)
    .map((found) => ({ id: Number(found?.[1]), command: found?.[3] ?? '' }));
}

/** Whether a process with this id is running. */
export function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}
