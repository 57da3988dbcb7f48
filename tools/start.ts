// npm start: starts the whole product on this machine. The sign-in service and the demo portal are separate processes,
// as in production; this one builds the front end if it is stale, starts them, and stops them together.
import { buildFrontEndWhenStale } from './front-end.ts';
import { waitUntilReady } from './start/service.ts';
import { choosePort, createSupervisor, giveUp } from './start/supervisor.ts';

const supervisor = createSupervisor();
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
  // logs only warnings and errors, because a developer reads this terminal
  LOG_LEVEL: process.env['LOG_LEVEL'] || 'warn',
  // allows trying passkeys: browsers treat `localhost` as secure
  ...(!process.env['PASSKEY_RP_ID'] && !process.env['PUBLIC_URL'] && { PASSKEY_RP_ID: 'localhost' }),
};
const signInAddress = process.env['PUBLIC_URL'] || `http://localhost:${port}`;
const demoAddress = `http://localhost:${demoPort}`;

try {
  const identity = supervisor.startAndWatch('The sign-in service', 'identity/src/main.ts', env);
  await waitUntilReady(identity, { port, path: '/health/ready', publicHost: new URL(signInAddress).host });
  // started after the service, because the portal reads the provider's discovery document when it starts
  const demo = supervisor.startAndWatch('The demo portal', 'boards-demo/src/main.ts', {
    ...env,
    ISSUER: signInAddress,
  });
  await waitUntilReady(demo, { port: demoPort, path: '/', publicHost: `localhost:${demoPort}` });
  supervisor.ready();
} catch {
  // the supervisor has already reported the ended service
  await supervisor.stop(1);
}

process.stdout.write(`
  Demo board portal  ${demoAddress}
  Sign-in            ${signInAddress}
  Console            ${signInAddress}/console/
  Messages sent      ${signInAddress}/dev/outbox

  Sign in as         director@demo.example    SMS code; sites northwind, harbor, summit
                     secretary@demo.example   password only; site harbor, whose people she manages in the console
                     owner@demo.example       SMS code; manages everything in the console
                     newcomer@demo.example    must change the password
                     employee@corp.example    signs in over a company; site corp
  Password for all   quiet harbor morning 74

Anteroom is ready
`);
