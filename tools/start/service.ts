import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { get } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from '../root.ts';

/** A process of the product. */
export interface Service {
  name: string;
  process: ChildProcess;
  /** Resolves with the exit code or signal name when the process ends. */
  ended: Promise<number | string>;
  /** The standard error output so far. */
  errorOutput: () => string;
}

/** Starts a process of the product as a child, which ends with this process. */
export function startService(name: string, script: string, env: NodeJS.ProcessEnv): Service {
  const child = spawn(
    process.execPath,
    ['--import', resolve(root, 'tools/start/stop-with-parent.mjs'), resolve(root, script)],
    {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    },
  );
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput += text;
    process.stderr.write(text);
  });
  const ended = new Promise<number | string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(signal ?? code ?? 1));
  });
  return { name, process: child, ended, errorOutput: () => errorOutput };
}

/** Polls a service on this machine until it is ready. Rejects if the service ends first. */
export async function waitUntilReady(
  service: Service,
  at: { port: number; path: string; publicHost: string; host?: string },
): Promise<void> {
  let hasEnded = false;
  void service.ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    if (await isReady(at)) return;
    await wait(40);
  }
  throw new Error(`${service.name} stopped before it was ready (${await service.ended}).`);
}

async function isReady({
  port,
  path,
  publicHost,
  host = 'localhost',
}: {
  port: number;
  path: string;
  publicHost: string;
  host?: string;
}): Promise<boolean> {
  return new Promise((resolve) => {
    // sends the public host name, because the service accepts no other
    const request = get({ host, port, path, headers: { host: publicHost }, timeout: 2000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

/** Lets a service finish its requests, and kills the service if it clearly exceeds its own limit of 10 s. */
export async function stopService(service: Service): Promise<void> {
  if (service.process.exitCode !== null || service.process.signalCode !== null) return;
  service.process.kill('SIGTERM');
  const hurry = setTimeout(() => service.process.kill('SIGKILL'), 16_000);
  await service.ended;
  clearTimeout(hurry);
}
