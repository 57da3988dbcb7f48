import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from './command.ts';
import { root } from './root.ts';
import { findFreePort } from './start/ports.ts';

// Builds the release twice, which takes about 90 s of processor time.

const largestMegabytes = 150;
/** The user id of the container image. */
const unprivilegedId = 65_534;
const startSeconds = 180;

const folder = mkdtempSync(join(tmpdir(), 'anteroom-release-'));
/** A copy of Node that other users can read, unlike the folders of some checkouts. */
const node = join(folder, 'node');
const isRoot = process.getuid?.() === 0;
let archives: string[];
let unpacked: string;

async function run(
  command: string,
  args: readonly string[],
  options?: Parameters<typeof runCommand>[2],
): Promise<string> {
  const { exitCode, output, stdout } = await runCommand(command, args, options);
  expect(exitCode, output).toBe(0);
  return stdout;
}

async function build(name: string): Promise<string> {
  const target = join(folder, name);
  mkdirSync(target);
  await run(process.execPath, ['tools/release.ts', relative(root, target)]);
  const [archive] = globSync(join(target, '*.tar.gz'));
  if (archive === undefined) throw new Error('the build left no archive');
  return archive;
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** The settings that production requires, with keys that the release creates and the embedded database. */
async function createSettings(port: number, data: string): Promise<NodeJS.ProcessEnv> {
  const keys = await run(node, [join(unpacked, 'bin/anteroom'), 'keys', 'init', '--no-input'], {
    folder: '/',
  });
  const values = keys
    .split('\n')
    .filter((line) => /^[A-Z_]+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
  return {
    ...Object.fromEntries(values),
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://signin.example.org',
    HOST: '127.0.0.1',
    PORT: String(port),
    TRUSTED_PROXIES: 'none',
    MAIL_SENDER: 'none',
    SMS_SENDER: 'none',
    DRAIN_SECONDS: '0',
    DATA_DIR: data,
  };
}

/**
 * Starts the service in the unpacked release. If the tests run as root and can mount, the whole file system is
 * read-only except for the folder of the embedded database, and the service runs as a user without privileges.
 */
async function startService(port: number): Promise<ChildProcess> {
  const data = join(folder, 'data');
  mkdirSync(data);
  const service = [node, 'identity/dist/main.js'];
  const options = { cwd: unpacked, env: await createSettings(port, data) };
  if (!isRoot) return spawn(node, service.slice(1), { ...options, stdio: 'pipe' });
  const canMount = (await runCommand('unshare', ['--mount', 'true'])).exitCode === 0;
  const mounts = canMount
    ? 'mount -t tmpfs -o mode=777 tmpfs "$DATA_DIR"; mount --bind "$PWD" "$PWD"; mount -o remount,bind,ro "$PWD"; mount -o remount,bind,ro /; cd "$PWD"; touch written 2>/dev/null && exit 1'
    : 'chmod 777 "$DATA_DIR"';
  const drop = `exec setpriv --reuid ${unprivilegedId} --regid ${unprivilegedId} --clear-groups --inh-caps=-all "$@"`;
  const script = `set -e\n${mounts}\n${drop}`;
  const shell = ['sh', '-c', script, 'sh', ...service];
  const [command = '', ...args] = canMount ? ['unshare', '--mount', ...shell] : shell;
  const env = { ...options.env, PATH: process.env['PATH'] };
  return spawn(command, args, { ...options, env, stdio: 'pipe' });
}

function askReadiness(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { host: 'signin.example.org' };
    get({ host: '127.0.0.1', port, path: '/health/ready', headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    }).once('error', () => resolve(undefined));
  });
}

beforeAll(async () => {
  chmodSync(folder, 0o755);
  copyFileSync(process.execPath, node);
  archives = [await build('first'), await build('second')];
  const [archive = ''] = archives;
  await run('tar', ['--extract', '--gzip', '--file', archive, '--directory', folder]);
  unpacked = join(folder, basename(archive, '.tar.gz'));
}, 900_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }), 120_000);

describe('the release', () => {
  test('has the same bytes when it is built again', () => {
    expect(new Set(archives.map(sha256)).size).toBe(1);
  });

  test.each([0, 1])('has the checksum that SHA256SUMS gives (build %i)', (index) => {
    const archive = archives[index] ?? '';
    const sums = readFileSync(join(archive, '..', 'SHA256SUMS'), 'utf8');
    expect(sums).toBe(`${sha256(archive)}  ${basename(archive)}\n`);
  });

  test(`has less than ${largestMegabytes} MB when it is unpacked`, () => {
    const files = globSync('**/*', { cwd: unpacked }).map((path) => lstatSync(join(unpacked, path)));
    const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
    expect(files.length).toBeGreaterThan(500);
    expect(bytes / 1e6).toBeLessThan(largestMegabytes);
  });

  test('contains no tests, no sources and no development packages', () => {
    const paths = globSync('{identity,contract,verify,web,console}/**/*.test.*', { cwd: unpacked });
    expect(paths).toEqual([]);
    expect(
      globSync(
        ['{web,console}/src', '{identity,contract,verify}/**/*.ts', 'node_modules/{vitest,typescript}'],
        {
          cwd: unpacked,
        },
      ),
    ).toEqual([]);
  });

  test('names the packages whose password lists it contains in packed form, with their licences', () => {
    const notices = readFileSync(join(unpacked, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    expect(notices).toContain('fxa-common-password-list 0.0.4 (MPL-2.0)');
    expect(notices).toContain('@zxcvbn-ts/language-en 4.1.1 (MIT)');
    expect(globSync('identity/src/passwords/lists/*.bin', { cwd: unpacked })).toHaveLength(2);
    expect(globSync('node_modules/{fxa-common-password-list,@zxcvbn-ts}', { cwd: unpacked })).toEqual([]);
  });

  test('names the bundled packages with their licences, and contains only packages with machine code', () => {
    const sbom = JSON.parse(readFileSync(join(unpacked, 'sbom.cdx.json'), 'utf8')) as {
      components: { name: string }[];
    };
    const named = sbom.components.map(({ name }) => name);
    expect(named).toEqual(expect.arrayContaining(['fastify', 'kysely', 'oidc-provider', 'react']));
    const notices = readFileSync(join(unpacked, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['fastify', 'kysely', 'oidc-provider', 'react'])
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm'));
    const separate = globSync(['*', '@*/*'], { cwd: join(unpacked, 'node_modules') });
    expect(separate.filter((path) => !/^@(?:node-rs|electric-sql)/.test(path))).toEqual([]);
  });

  test('reports an unknown error with a stack trace that names the sources', async () => {
    const broken = join(folder, 'broken');
    mkdirSync(join(broken, 'database'), { recursive: true });
    writeFileSync(join(broken, 'database', 'PG_VERSION'), '1');
    const { exitCode, output } = await runCommand(node, ['identity/dist/main.js'], {
      folder: unpacked,
      env: { DATA_DIR: broken },
    });
    expect(exitCode).toBe(1);
    expect(output).toMatch(/identity\/src\/store\/open-database\.ts:\d+:\d+\)$/m);
  });

  test('contains the conformance kit as a command', async () => {
    const rules = await run(node, [join(unpacked, 'bin/anteroom'), 'verify-service', '--list'], {
      folder: '/',
    });
    expect(rules).toContain('request.anti-forgery');
  });

  test('starts without privileges on a read-only file system, becomes ready and stops', async () => {
    const port = await findFreePort();
    const service = await startService(port);
    let output = '';
    service.stdout?.on('data', (text: Buffer) => (output += text.toString()));
    service.stderr?.on('data', (text: Buffer) => (output += text.toString()));
    const ended = once(service, 'exit');
    try {
      await expect
        .poll(async () => (service.exitCode === null ? askReadiness(port) : output), {
          timeout: startSeconds * 1000,
          interval: 100,
        })
        .toBe(200);
      if (isRoot) expect(lstatSync(`/proc/${service.pid}`).uid).toBe(unprivilegedId);
      service.kill('SIGTERM');
      const [exitCode] = (await ended) as [number | null];
      expect(exitCode, output).toBe(0);
    } finally {
      service.kill('SIGKILL');
    }
  });
});
