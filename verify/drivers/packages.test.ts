import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listen } from '@anteroom/testkit/listen';
import express from 'express';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../tools/command.ts';
import { makePackages } from '../../tools/packages/make-packages.ts';
import { root } from '../../tools/root.ts';
import type * as Serve from '../../web/serve/serve.ts';
import type { Manifest } from '../../web/serve/manifest.ts';
import { startSampleService } from './sample-service.ts';

// Builds the front end, compiles and packs three packages, and installs them with npm.
vi.setConfig({ hookTimeout: 300_000 });

let temporary: string;
let project: string;

async function run(command: string, args: readonly string[], folder = project): Promise<string> {
  const { exitCode, output, stdout } = await runCommand(command, args, { folder });
  expect(exitCode, output).toBe(0);
  return stdout;
}

/**
 * Creates a project and installs the three packages and their dependencies from tarballs, so that npm needs no
 * registry.
 */
beforeAll(async () => {
  temporary = mkdtempSync(join(tmpdir(), 'anteroom-packages-'));
  project = join(temporary, 'project');
  mkdirSync(project);
  const tarballs = await makePackages(join(temporary, 'packages'));
  const valibot = (
    await run('npm', ['pack', join(root, 'node_modules/valibot'), '--silent'], temporary)
  ).trim();
  const dependencies = {
    '@anteroom/contract': `file:${tarballs.contract}`,
    '@anteroom/verify': `file:${tarballs.verify}`,
    '@anteroom/web': `file:${tarballs.web}`,
    valibot: `file:${join(temporary, valibot)}`,
  };
  const overrides = { '@anteroom/contract': '$@anteroom/contract', valibot: '$valibot' };
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ type: 'module', private: true, dependencies, overrides }),
  );
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund']);
});
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

describe('the packages in an empty project', () => {
  test('the contract parses requests and contains its version and its OpenAPI document', async () => {
    const script = `
      import { calls, contractVersion } from '@anteroom/contract';
      import openapi from '@anteroom/contract/openapi.json' with { type: 'json' };
      import * as v from 'valibot';
      const long = v.safeParse(calls.selectSite.body, { site: 'x'.repeat(51) });
      console.log(long.success, openapi.info.version === contractVersion, Object.keys(calls).length);`;
    expect(await run('node', ['--input-type=module', '-e', script])).toBe('false true 25\n');
  });

  test('the types of all three packages compile', async () => {
    writeFileSync(
      join(project, 'consumer.ts'),
      `import type { CallAnswer, CallInput } from '@anteroom/contract';
       import { createScenario, verifyService } from '@anteroom/verify';
       import { expressFrontEnd } from '@anteroom/web/serve';
       const input: CallInput<'selectSite'>['body'] = { site: 'harbor' };
       const answer: CallAnswer<'getRetry'> = { retry: input.site === 'harbor' };
       // @ts-expect-error the contract has no such member
       const wrong: CallAnswer<'getRetry'> = { again: true };
       export const outcomes = verifyService(createScenario({}, { url: 'http://localhost' }));
       export const frontEnd = expressFrontEnd({ publicUrl: 'http://localhost' });
       export { answer, wrong };\n`,
    );
    const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024'];
    expect(await run('tsc', ['--ignoreConfig', ...options, ...types, 'consumer.ts'])).toBe('');
  });

  test('the conformance kit runs as a command', async () => {
    const service = await startSampleService();
    try {
      writeFileSync(join(project, 'scenario.json'), JSON.stringify(service.scenario));
      // Uses the Node of the tests, because the system's Node can be older.
      const child = spawn(
        process.execPath,
        [join(project, 'node_modules/.bin/anteroom-verify'), service.url, '--scenario', 'scenario.json'],
        // npm sets INIT_CWD to its own working directory, which differs from this project.
        { cwd: project, env: { ...process.env, INIT_CWD: project } },
      );
      let output = '';
      child.stdout.on('data', (text: Buffer) => (output += text.toString()));
      const [code] = (await once(child, 'close')) as [number];
      expect(output).toMatch(/57 kept, 0 broken, 0 undecided, 0 not offered\n$/);
      expect(code).toBe(0);
    } finally {
      await service.close();
    }
  });

  test('the manifest lists every file with its hash', () => {
    const folder = join(project, 'node_modules/@anteroom/web');
    const { files } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
    expect(files.length).toBeGreaterThan(50);
    for (const { path, integrity, bytes } of files) {
      const content = readFileSync(join(folder, 'files', path));
      expect(content.length, path).toBe(bytes);
      expect(`sha256-${createHash('sha256').update(content).digest('base64')}`, path).toBe(integrity);
    }
  });
});

describe('anteroom-web theme', () => {
  const command = async (theme: object, out: string) => {
    writeFileSync(join(project, 'theme.json'), JSON.stringify(theme));
    // Uses the Node of the tests, because the system's Node can be older.
    const { exitCode, output } = await runCommand(
      process.execPath,
      [join(project, 'node_modules/.bin/anteroom-web'), 'theme', 'theme.json', '--out', out],
      { folder: project, env: { INIT_CWD: project } },
    );
    return { exitCode, output };
  };

  test('writes a copy that the middleware serves with its own CSP, hashes and compressed files', async () => {
    writeFileSync(join(project, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 32"/>');
    const theme = {
      productName: 'Harbor & Co',
      logo: 'logo.svg',
      colours: { light: { accent: '#5b2a86', 'accent-strong': '#43206b' } },
      texts: { en: { 'login.signIn': 'Enter', 'noscript.signIn': 'JavaScript, please.' } },
    };
    const { exitCode, output } = await command(theme, 'themed');
    expect([exitCode, output]).toEqual([0, expect.stringContaining('has loaded in: en.')]);
    // An earlier copy is replaced.
    expect(await command(theme, 'themed')).toEqual({ exitCode, output });

    const folder = join(project, 'themed');
    const address = pathToFileURL(join(project, 'node_modules/@anteroom/web/serve.js')).href;
    const { createFrontEnd } = (await import(/* @vite-ignore */ address)) as typeof Serve;
    const answer = createFrontEnd({ ...options, folder });
    const server = await listen(createServer((request, response) => void answer(request, response)));
    try {
      const { files } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
      for (const { path, integrity, encodings } of files) {
        const response = await fetch(`${server.url}/ui/${path}`, { headers: { 'accept-encoding': 'br' } });
        const content = Buffer.from(await response.arrayBuffer());
        expect(`sha256-${createHash('sha256').update(content).digest('base64')}`, path).toBe(integrity);
        expect(response.headers.get('content-encoding'), path).toBe(encodings.includes('br') ? 'br' : null);
      }
      const page = await fetch(`${server.url}/ui/account/login`);
      const html = await page.text();
      expect(html).toContain('--accent:#5b2a86;--accent-strong:#43206b;');
      expect(html).toContain('<html data-product="Harbor &amp; Co" data-logo=');
      expect(html).toContain('<noscript>JavaScript, please.</noscript>');
      for (const element of ['script', 'style']) {
        const inline = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(html)?.[1] ?? '';
        const hash = createHash('sha256').update(inline).digest('base64');
        expect(page.headers.get('content-security-policy')).toContain(
          `${element}-src 'self' 'sha256-${hash}'`,
        );
      }
      // Text files are not cached, because their addresses contain no hash.
      const texts = await fetch(`${server.url}/ui/assets/i18n/en-1.21.0.json`);
      expect(texts.headers.get('cache-control')).toBe('no-store');
      expect(await texts.json()).toMatchObject({ login: { signIn: 'Enter' } });
      const logo = /\/ui\/(assets\/app\/logo-\w+\.svg)/.exec(html)?.[1] ?? '';
      expect(files.find(({ path }) => path === logo)).toMatchObject({ isImmutable: true });
    } finally {
      await server.close();
    }
  });

  test('refuses a wrong theme with one line that names the key, and writes nothing', async () => {
    const { exitCode, output } = await command({ texts: { en: { 'login.sign': 'Enter' } } }, 'refused');
    expect([exitCode, output.trim()]).toEqual([
      1,
      'texts.en.login.sign: there is no such text. assets/i18n/en-1.21.0.json has the keys.',
    ]);
    expect(existsSync(join(project, 'refused'))).toBe(false);
  });

  test('refuses to write into a folder with other files', async () => {
    const { exitCode, output } = await command({}, '.');
    expect([exitCode, output]).toEqual([1, expect.stringContaining('has other files')]);
  });
});

const options = { publicUrl: 'http://localhost', logoOrigins: ['https://logos.example'] };

async function inExpress({ expressFrontEnd }: typeof Serve, more: object): Promise<RequestListener> {
  const app = express();
  app.use(expressFrontEnd({ ...options, ...more }));
  app.use((_request, response) => void response.send('the service'));
  return Promise.resolve(app);
}

async function inFastify({ fastifyFrontEnd }: typeof Serve, more: object): Promise<RequestListener> {
  const app = Fastify();
  await app.register(fastifyFrontEnd({ ...options, ...more }));
  app.get('/api/*', () => 'the service');
  app.get('/ui/config.json', () => 'the service');
  await app.ready();
  return (request, response) => app.routing(request, response);
}

describe.each([
  { server: 'Express', start: inExpress },
  { server: 'Fastify', start: inFastify },
])('the front end in $server', ({ start }) => {
  async function ask(
    path: string,
    headers: Record<string, string> = {},
    { method = 'GET', config }: { method?: string; config?: object } = {},
  ): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }> {
    const address = pathToFileURL(join(project, 'node_modules/@anteroom/web/serve.js')).href;
    const serve = (await import(/* @vite-ignore */ address)) as typeof Serve;
    const server = await listen(createServer(await start(serve, config ? { config } : {})));
    try {
      return await new Promise((resolve, reject) => {
        send(`${server.url}${path}`, { method, headers }, (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('end', () =>
            resolve({
              status: incoming.statusCode,
              headers: incoming.headers,
              text: Buffer.concat(chunks).toString(),
            }),
          );
        })
          .on('error', reject)
          .end();
      });
    } finally {
      await server.close();
    }
  }

  test.each(['/ui/', '/ui/account/login?ReturnUrl=%2Fx'])(
    '%s serves the page with its required headers',
    async (path) => {
      const { status, headers, text } = await ask(path, { accept: 'text/html' });
      expect(status).toBe(200);
      const script = /<script>([\s\S]*?)<\/script>/.exec(text)?.[1] ?? '';
      const hash = createHash('sha256').update(script).digest('base64');
      expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}'`);
      expect(headers['content-security-policy']).toContain("img-src 'self' https://logos.example;");
      expect(headers['content-security-policy']).not.toContain('report-');
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        vary: 'Accept-Encoding',
      });
    },
  );

  test('a hashed file is compressed and cached as immutable', async () => {
    const { text } = await ask('/ui/', { accept: 'text/html' });
    const file = /\/ui\/assets\/app\/[\w-]+\.js/.exec(text)?.[0] ?? '';
    const { status, headers } = await ask(file, { 'accept-encoding': 'gzip, br' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await ask(file, {}, { method: 'HEAD' })).text).toBe('');
  });

  test('an unknown page is the page with status 404; an unknown asset or a path outside the folder is an error', async () => {
    const page = await ask('/ui/no/such.page', { accept: 'text/html' });
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    for (const path of ['/ui/assets/app/none.js', '/ui/assets/..%2f..%2fpackage.json', '/ui/__proto__']) {
      const { status, text } = await ask(path, { accept: '*/*' });
      expect([status, text], path).toEqual([404, '{"code":"not_found"}']);
    }
  });

  test('the aliases redirect below /ui/ with their query; everything else goes to the service', async () => {
    for (const path of ['/', '/account/login', '/home/error']) {
      const { status, headers } = await ask(`${path}?a=b`);
      expect([status, headers.location]).toEqual([302, `/ui${path}?a=b`]);
    }
    expect((await ask('/ui?a=b')).headers.location).toBe('/ui/?a=b');
    expect((await ask('/api/ui/sites')).text).toBe('the service');
    expect((await ask('/ui/config.json?t=1')).text).toBe('the service');
    const config = { globalSupportUrl: 'https://help.example/' };
    expect(JSON.parse((await ask('/ui/config.json?t=1', {}, { config })).text)).toEqual(config);
  });
});
