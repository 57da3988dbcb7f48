import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../tools/start/ports.ts';
import { childrenOf } from './started-product.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Two regions and a portal as `npm run start:regions` runs them, in processes of their own. */
export interface StartedRegions {
  demo: string;
  eu: string;
  us: string;
  /** us answers nobody any more, as a server whose network is gone. */
  pause: () => void;
  resume: () => void;
  stop: () => Promise<void>;
}

/** Starts them on free ports, with their databases in `folder`; rejects with what they said when they are not ready. */
export async function startRegions(folder: string): Promise<StartedRegions> {
  const [demoPort, euPort, usPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const child = spawn(process.execPath, ['tools/start-regions.ts'], {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: folder,
      DEMO_PORT: String(demoPort),
      EU_PORT: String(euPort),
      US_PORT: String(usPort),
      // a journey signs the same person in more often than anybody does
      CODE_RESEND_WAIT_SECONDS: '0',
      CODES_PER_TEN_MINUTES: '1000',
    },
    // the channel ends them with whoever started them, also when a journey fails before it stops them
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const ready = Promise.withResolvers<void>();
  const listen = (text: string): void => {
    output += text;
    if (/^Anteroom is ready$/m.test(output)) ready.resolve();
  };
  child.stdout?.setEncoding('utf8').on('data', listen);
  child.stderr?.setEncoding('utf8').on('data', listen);
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  void ended.then((code) => ready.reject(new Error(`The regions ended with ${code}:\n${output}`)));
  await ready.promise;

  const [, us] = childrenOf(child.pid ?? 0)
    .filter(({ command }) => command.includes('identity/src/main.ts'))
    .toSorted((one, other) => one.id - other.id);
  if (us === undefined) throw new Error('The second region has no process');
  return {
    demo: `http://localhost:${demoPort}`,
    eu: `http://eu.anteroom.localhost:${euPort}`,
    us: `http://us.anteroom.localhost:${usPort}`,
    pause: () => process.kill(us.id, 'SIGSTOP'),
    resume: () => process.kill(us.id, 'SIGCONT'),
    stop: async () => {
      process.kill(us.id, 'SIGCONT');
      child.kill('SIGINT');
      await ended;
    },
  };
}
