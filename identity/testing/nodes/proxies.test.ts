import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runCommand } from '../../../tools/command.ts';
import { findFreePort } from '../../../tools/start/ports.ts';
import { publicUrl } from '../application.ts';
import { createBrowser } from '../browser.ts';
import { serverIsThere } from '../describe-store.ts';
import { until } from '../until.ts';
import { chaos, chaosTimeoutMs, reportFigure } from './chaos.ts';
import { findProgram } from './find-program.ts';
import { reachOverHttp } from './http-service.ts';
import { offerSignIns } from './load.ts';
import { addManyUsers } from './many-users.ts';
import { startNodes } from './use-nodes.ts';
import type { Nodes } from './use-nodes.ts';

// The examples of deploy/proxies, with ports, names and certificate of this machine.

vi.setConfig({ testTimeout: chaosTimeoutMs });

const host = new URL(publicUrl).host;

type Place = { folder: string; tlsPort: number; plainPort: number; nodePorts: readonly number[] };

/** Makes the replacements that an operator makes. The example must contain each replaced text. */
function adapt(example: string, replacements: Record<string, string>): string {
  let text = readFileSync(new URL(`../../../deploy/proxies/${example}`, import.meta.url), 'utf8');
  for (const [from, to] of Object.entries(replacements)) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  return text;
}

const toNodes = ({ nodePorts: [one, two] }: Place): Record<string, string> => ({
  '127.0.0.1:4400': `127.0.0.1:${one}`,
  '127.0.0.1:4410': `127.0.0.1:${two}`,
});

type Proxy = {
  program: string;
  configure: (place: Place) => string;
  toArguments: (file: string) => string[];
  /** Failures of visitors' requests that this proxy cannot avoid. */
  tolerated?: RegExp;
};

const proxies: readonly Proxy[] = [
  {
    program: 'caddy',
    configure: ({ folder, tlsPort, plainPort }: Place) => `{
  admin off
  local_certs
  skip_install_trust
  https_port ${tlsPort}
  http_port ${plainPort}
  storage file_system ${folder}/storage
}
${adapt('Caddyfile', { 'Host {$ANTEROOM_HOST}': `Host ${host}` })}`,
    toArguments: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  {
    program: 'nginx',
    configure: (place: Place) => `
user root;
pid ${place.folder}/pid;
error_log stderr;
events {}
http {
access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${place.folder}/${kind};`).join('\n')}
${adapt('nginx.conf', {
  ...toNodes(place),
  'listen 443': `listen ${place.tlsPort}`,
  'listen 80': `listen ${place.plainPort}`,
  '/etc/nginx/tls/signin.example.org.key': `${place.folder}/certificate.pem`,
  '/etc/nginx/tls/signin.example.org.pem': `${place.folder}/certificate.pem`,
})}}`,
    toArguments: (file: string) => ['-c', file, '-g', 'daemon off;'],
    // This proxy does not probe nodes, and must not repeat a change that a closing node may have begun (decision 030).
    tolerated: /^POST \S+ 502/,
  },
  {
    program: 'haproxy',
    configure: (place: Place) =>
      adapt('haproxy.cfg', {
        ...toNodes(place),
        'bind :443': `bind :${place.tlsPort}`,
        'bind :80': `bind :${place.plainPort}`,
        '/etc/haproxy/tls/signin.example.org.pem': `${place.folder}/certificate.pem`,
        'hdr Host signin.example.org': `hdr Host ${host}`,
      }),
    toArguments: (file: string) => ['-f', file],
  },
];

/** Writes certificate and key to one file. */
async function writeCertificate(folder: string): Promise<void> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const kind = [
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    '/CN=localhost',
  ];
  const { exitCode, output } = await runCommand('openssl', [
    'req',
    ...kind,
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
  if (exitCode !== 0) throw new Error(output);
  writeFileSync(certificate, readFileSync(key, 'utf8'), { flag: 'a' });
}

const missing = proxies.map(({ program }) => program).filter((program) => findProgram(program) === undefined);
test.runIf(missing.length > 0)(`not tested, because they are not installed: ${missing.join(', ')}`, () =>
  expect(missing).not.toEqual([]),
);

describe.runIf(serverIsThere() && missing.length < proxies.length)('two nodes behind', () => {
  let nodes: Nodes;
  let nodePorts: readonly number[];
  let users: Awaited<ReturnType<typeof addManyUsers>>;

  beforeAll(async () => {
    nodePorts = [await findFreePort(), await findFreePort()];
    nodes = await startNodes(0, { env: { DRAIN_SECONDS: '3', TRUSTED_PROXIES: '127.0.0.1' } });
    for (const port of nodePorts) await nodes.add({ PORT: String(port) });
    users = await addManyUsers(nodes.database, chaos.isFull ? 3000 : 200);
  });
  afterAll(() => nodes.close());

  /** Waits until the node is ready, as an operator does before restarting the next node. The proxy may notice later. */
  async function untilReady(port: number): Promise<void> {
    const node = reachOverHttp(port);
    const browser = createBrowser(node, publicUrl);
    await until(async () => (await browser.visit('/health/ready')).status === 200);
    node.close();
  }

  /** Starts the proxy. Resolves with its address once it forwards the nodes' answers. */
  async function startProxy({ program, configure, toArguments }: Proxy) {
    const folder = mkdtempSync(join(tmpdir(), 'anteroom-proxy-'));
    await writeCertificate(folder);
    const [tlsPort, plainPort] = [await findFreePort(), await findFreePort()];
    const file = join(folder, 'config');
    writeFileSync(file, configure({ folder, tlsPort, plainPort, nodePorts }));
    const child: ChildProcess = spawn(findProgram(program) ?? program, toArguments(file), {
      env: {
        ...process.env,
        ANTEROOM_HOST: 'localhost',
        ANTEROOM_NODES: nodePorts.map((port) => `127.0.0.1:${port}`).join(' '),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr?.on('data', (text: Buffer) => (output += text.toString()));
    const ended = once(child, 'exit');
    const app = reachOverHttp(tlsPort, { isTls: true });
    onTestFinished(async () => {
      app.close();
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    });
    const openBrowser = () => createBrowser(app, publicUrl);
    await until(async () => {
      if (child.exitCode !== null) throw new Error(output);
      return (
        (
          await openBrowser()
            .visit('/health/ready')
            .catch(() => undefined)
        )?.status === 200
      );
    });
    return { app, openBrowser };
  }

  test.each(proxies.filter(({ program }) => !missing.includes(program)))(
    '$program: each node is restarted under load, and no request of a visitor fails',
    async (proxy) => {
      const reached = await startProxy(proxy);
      const { load, stop } = offerSignIns(reached, users, chaos.requestsPerSecond);
      await until(() => load.served > 20);
      const untilMs = performance.now() + (chaos.rollingSeconds / 5) * 1000;
      let restarts = 0;
      do {
        for (const port of nodePorts) {
          const node = nodes.each.find((one) => one.port === port);
          if (node === undefined) throw new Error('each node is there');
          nodes.each.splice(nodes.each.indexOf(node), 1);
          nodes.balancer.remove(node);
          expect(await node.stop()).toBe(0);
          const served = load.served;
          await until(() => load.served > served + 20);
          await nodes.add({ PORT: String(port) });
          await untilReady(port);
          restarts += 1;
        }
      } while (performance.now() < untilMs);
      const { served, deferred, failed } = await stop();
      const unexpected = failed.filter((fault) => proxy.tolerated?.test(fault) !== true);
      expect([deferred, unexpected]).toEqual([0, []]);
      reportFigure({
        what: `${proxy.program}: nodes stopped and started again`,
        value: restarts,
        unit: 'calls',
      });
      reportFigure({ what: `${proxy.program}: requests served meanwhile`, value: served, unit: 'calls' });
      reportFigure({ what: `${proxy.program}: requests that failed`, value: failed.length, unit: 'calls' });
    },
  );
});
