// npm start: the whole product on this machine. The sign-in service and the demo portal are processes of their own, as they
// would be in production; this one builds what is stale, starts them, and stops them together.
import { buildFrontEndWhenStale } from './front-end.ts';
import { findFreePort, isPortFree } from './start/ports.ts';
import { startService, stopService, waitUntilReady } from './start/service.ts';
import type { Service } from './start/service.ts';

const services: Service[] = [];
let isStopping = false;

async function stop(exitCode: number): Promise<never> {
  isStopping = true;
  await Promise.all(services.map(stopService));
  process.exit(exitCode);
}

/** A start that cannot succeed ends with one line that says what to do. */
function giveUp(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (!isStopping) void stop(0);
  });
// `npm start` itself was ended, perhaps by kill -9
process.on('disconnect', () => {
  if (!isStopping) void stop(0);
});
process.channel?.unref();

/** The port that a setting names; 0 means any free one. */
async function choosePort(setting: string, usual: number): Promise<number> {
  const wanted = process.env[setting] || String(usual);
  if (!/^\d{1,5}$/.test(wanted)) giveUp(`${setting} must be a port number, not "${wanted}".`);
  if (wanted === '0') return findFreePort();
  if (!(await isPortFree(Number(wanted))))
    giveUp(
      `Port ${wanted} is in use: end what listens there, or choose another with ${setting}=<port> npm start.`,
    );
  return Number(wanted);
}

const port = await choosePort('PORT', 4400);
const demoPort = await choosePort('DEMO_PORT', 4401);

try {
  if (await buildFrontEndWhenStale()) process.stdout.write('Built the front end.\n');
} catch (error) {
  giveUp(error instanceof Error ? error.message : String(error));
}

const env = {
  PORT: String(port),
  DEMO_PORT: String(demoPort),
  // a person reads this terminal: what is not out of the ordinary stays off it
  LOG_LEVEL: process.env['LOG_LEVEL'] || 'warn',
};
const signInAddress = process.env['PUBLIC_URL'] || `http://localhost:${port}`;
const demoAddress = `http://localhost:${demoPort}`;

function startAndWatch(name: string, script: string, more: NodeJS.ProcessEnv = {}): Service {
  const service = startService(name, script, { ...env, ...more });
  services.push(service);
  void service.ended.then((how) => {
    if (isStopping) return;
    // a service that refused to start has said why in a line of its own
    if (!service.errorOutput().trim() || isReady) process.stderr.write(`${name} has stopped (${how}).\n`);
    void stop(1);
  });
  return service;
}

let isReady = false;
const identity = startAndWatch('The sign-in service', 'identity/src/main.ts');
try {
  await waitUntilReady(identity, { port, path: '/health/ready', publicHost: new URL(signInAddress).host });
  // the portal is a client like any other: it reads the provider's own description when it starts
  const demo = startAndWatch('The demo portal', 'boards-demo/src/main.ts', { ISSUER: signInAddress });
  await waitUntilReady(demo, { port: demoPort, path: '/', publicHost: `localhost:${demoPort}` });
  isReady = true;
} catch {
  // the watcher of the service that ended has said so
  await stop(1);
}

process.stdout.write(`
  Demo board portal  ${demoAddress}
  Sign-in            ${signInAddress}
  Messages sent      ${signInAddress}/dev/outbox

  Sign in as         director@demo.example    SMS code; sites northwind, harbor, summit
                     secretary@demo.example   password only; site harbor
                     newcomer@demo.example    must change the password
  Password for all   quiet harbor morning 74

Anteroom is ready
`);
