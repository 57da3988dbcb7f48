// npm run start:regions: starts two regions of the product on this machine, each with its own database, and a demo
// portal registered at both. The hosts share a parent domain, so that cookies behave as between regional hosts in
// production.
import { join } from 'node:path';
import { buildFrontEndWhenStale } from './front-end.ts';
import { waitUntilReady } from './start/service.ts';
import { choosePort, createSupervisor, giveUp } from './start/supervisor.ts';

const command = 'npm run start:regions';
const supervisor = createSupervisor();
const demoPort = await choosePort('DEMO_PORT', 4401, command);
const regions = [
  { name: 'eu', port: await choosePort('EU_PORT', 4400, command) },
  { name: 'us', port: await choosePort('US_PORT', 4410, command) },
].map((region) => ({
  ...region,
  url: `http://${region.name}.anteroom.localhost:${region.port}`,
  title: `The sign-in service of ${region.name}`,
}));

try {
  if (await buildFrontEndWhenStale()) process.stdout.write('Built the front end.\n');
} catch (error) {
  giveUp(error instanceof Error ? error.message : String(error));
}

const env = {
  DEMO_PORT: String(demoPort),
  LOG_LEVEL: process.env['LOG_LEVEL'] || 'warn',
  REGIONS: regions.map(({ name, url }) => `${name}=${url}`).join(','),
};
const directory = process.env['DATA_DIR'] || '.data';
const demoAddress = `http://localhost:${demoPort}`;

try {
  for (const { name, port, url, title } of regions) {
    const service = supervisor.startAndWatch(title, 'identity/src/main.ts', {
      ...env,
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: join(directory, 'regions', name),
      // uses PostgreSQL databases if EU_DATABASE_URL and US_DATABASE_URL are set
      DATABASE_URL: process.env[`${name.toUpperCase()}_DATABASE_URL`] ?? '',
    });
    await waitUntilReady(service, { port, path: '/health/ready', publicHost: new URL(url).host });
  }
  const [first, ...others] = regions.map(({ url }) => url);
  const demo = supervisor.startAndWatch('The demo portal', 'boards-demo/src/main.ts', {
    ...env,
    ISSUER: first,
    OTHER_ISSUERS: others.join(','),
  });
  await waitUntilReady(demo, { port: demoPort, path: '/', publicHost: `localhost:${demoPort}` });
  supervisor.ready();
} catch {
  // the supervisor has already reported the ended service
  await supervisor.stop(1);
}

const [eu, us] = regions;
process.stdout.write(`
  Demo board portal  ${demoAddress}   begin here
  Region eu          ${eu?.url}   messages at ${eu?.url}/dev/outbox
  Region us          ${us?.url}   messages at ${us?.url}/dev/outbox

  Sign in as         director@demo.example    SMS code; enter harbor (eu), then switch to lakeside, whose home is us
                     employee@corp.example    signs in over a company; site corp, whose home is us
  Password for all   quiet harbor morning 74

Anteroom is ready
`);
