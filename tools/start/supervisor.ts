import { findFreePort, isPortFree } from './ports.ts';
import { startService, stopService } from './service.ts';
import type { Service } from './service.ts';

/** Supervises the processes of one start. When one of them ends, or this process is stopped, all of them stop. */
export interface Supervisor {
  startAndWatch: (name: string, script: string, env: NodeJS.ProcessEnv) => Service;
  /** Makes the supervisor report every later end of a service, even if the service has printed errors. */
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
  // npm has ended, possibly by kill -9
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
        // a service that failed to start has already printed the reason
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

/** Exits with a message that says what to do. */
export function giveUp(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

/** The port from a setting; 0 means any free port. `command` is shown in the instructions for choosing another port. */
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
