import { findFreePort, isPortFree } from './ports.ts';
import { startService, stopService } from './service.ts';
import type { Service } from './service.ts';

/** The processes of one start: they run together, and stop together when one of them ends or somebody stops this one. */
export interface Supervisor {
  startAndWatch: (name: string, script: string, env: NodeJS.ProcessEnv) => Service;
  /** From now on a service that ends is news, whatever it has said before. */
  ready: () => void;
  stop: (exitCode: number) => Promise<never>;
}

export function createSupervisor(): Supervisor {
  const services: Service[] = [];
  let isStopping = false;
  let isReady = false;

  async function stop(exitCode: number): Promise<never> {
    isStopping = true;
    await Promise.all(services.map(stopService));
    process.exit(exitCode);
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (!isStopping) void stop(0);
    });
  // npm itself was ended, perhaps by kill -9
  process.on('disconnect', () => {
    if (!isStopping) void stop(0);
  });
  process.channel?.unref();

  return {
    startAndWatch(name, script, env) {
      const service = startService(name, script, env);
      services.push(service);
      void service.ended.then((how) => {
        if (isStopping) return;
        // a service that refused to start has said why in a line of its own
        if (!service.errorOutput().trim() || isReady) process.stderr.write(`${name} has stopped (${how}).\n`);
        void stop(1);
      });
      return service;
    },
    ready: () => {
      isReady = true;
    },
    stop,
  };
}

/** A start that cannot succeed ends with one line that says what to do. */
export function giveUp(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

/** The port that a setting names; 0 means any free one. `command` is what somebody types to choose another. */
export async function choosePort(setting: string, usual: number, command = 'npm start'): Promise<number> {
  const wanted = process.env[setting] || String(usual);
  if (!/^\d{1,5}$/.test(wanted)) giveUp(`${setting} must be a port number, not "${wanted}".`);
  if (wanted === '0') return findFreePort();
  if (!(await isPortFree(Number(wanted))))
    giveUp(
      `Port ${wanted} is in use: end what listens there, or choose another with ${setting}=<port> ${command}.`,
    );
  return Number(wanted);
}
