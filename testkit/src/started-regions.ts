import { join } from 'node:path';
import { placeEmbeddedDatabase } from '../../identity/testing/embedded-template.ts';
import { findFreePort } from '../../tools/start/ports.ts';
import { childrenOf } from './started-product.ts';
import { startScript } from './started-script.ts';

/** Two regions and a portal as started by `npm run start:regions`, in separate processes. */
export interface StartedRegions {
  demo: string;
  eu: string;
  us: string;
  /** Region us stops responding, like a server that has lost its network. */
  pause: () => void;
  resume: () => void;
  stop: () => Promise<void>;
}

/** Starts the regions on free ports, with their databases in `folder`. Rejects with their output if they fail. */
export async function startRegions(folder: string): Promise<StartedRegions> {
  const [demoPort, euPort, usPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  for (const region of ['eu', 'us']) await placeEmbeddedDatabase(join(folder, 'regions', region));
  const { child, ended } = await startScript('tools/start-regions.ts', {
    DATA_DIR: folder,
    DEMO_PORT: String(demoPort),
    EU_PORT: String(euPort),
    US_PORT: String(usPort),
    // A journey signs the same user in more often than a real user would sign in.
    CODE_LIMITS: 'off',
  });

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
