import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mutants } from '../mutants/mutants.ts';
import { startMutatingProxy } from '../mutants/proxy.ts';
import { runVerifyCommand } from '../src/command.ts';
import type { StartedService } from './controls.ts';
import { startSampleService } from './sample-service.ts';

let folder: string;
let service: StartedService;
let proxy: Awaited<ReturnType<typeof startMutatingProxy>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'anteroom-verify-'));
  service = await startSampleService();
  proxy = await startMutatingProxy(service.url);
  writeFileSync(join(folder, 'scenario.json'), JSON.stringify(service.scenario));
});
afterAll(async () => {
  await proxy.close();
  await service.close();
  rmSync(folder, { recursive: true });
});

async function run(commandLine: string) {
  const printed: string[] = [];
  const noted: string[] = [];
  const code = await runVerifyCommand(commandLine.split(' '), {
    startedIn: folder,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  });
  return { code, printed: printed.join('\n'), noted: noted.join('\n') };
}

function play(rule: string): void {
  const mutant = mutants.find(({ breaks }) => breaks === rule);
  if (!mutant) throw new Error(`There is no mutant of ${rule}.`);
  proxy.play(mutant.mutate());
}

test('exits with code 0 if the service keeps every rule', async () => {
  const { code, printed } = await run(`${service.url} --scenario scenario.json`);
  expect(printed).toMatch(/57 rules about 25 calls: 57 kept, 0 broken, 0 undecided, 0 not offered$/);
  expect(code).toBe(0);
});

test('exits with code 1 for a broken rule, and the reports name the rule, its section and the observation', async () => {
  play('answer.address');
  const { code, printed, noted } = await run(
    `${proxy.url} --scenario scenario.json --rule context.new-sign-in --rule request.config --json - --junit report.xml`,
  );
  expect(code).toBe(1);
  expect(noted).toContain(
    'broken       context.new-sign-in\n    Broken: answer.address\n    Rule: Every address',
  );
  expect(noted).toMatch(
    /Last call: GET \/api\/ui\/auth-context\?returnUrl=\S+ answered 200 application\/json/,
  );
  const broken = {
    id: 'answer.address',
    section: 'Addresses that a server sends',
    rule: expect.any(String) as string,
  };
  expect(JSON.parse(printed)).toMatchObject({
    service: proxy.url,
    summary: { kept: 1, broken: 1, undecided: 0 },
    rules: [
      { id: 'request.config', status: 'kept' },
      {
        id: 'context.new-sign-in',
        status: 'broken',
        broken,
        seen: 'getAuthContext: javascript:alert(1) is none',
      },
    ],
  });
  const junit = readFileSync(join(folder, 'report.xml'), 'utf8');
  expect(junit).toContain('tests="2" failures="1" errors="0" skipped="0"');
  expect(junit).toContain('<failure message="getAuthContext: javascript:alert(1) is none">');
});

test('features that the scenario declares as missing are reported as not offered', async () => {
  const sites = { ...service.scenario.sites, federated: undefined, saml: undefined };
  const file = { ...service.scenario, sites, offers: [], regionOrigin: undefined };
  writeFileSync(join(folder, 'small.json'), JSON.stringify(file));
  const { code, printed } = await run(`${service.url} --scenario small.json --junit small.xml`);
  expect(printed).toMatch(/47 kept, 0 broken, 0 undecided, 10 not offered$/);
  expect(readFileSync(join(folder, 'small.xml'), 'utf8')).toContain('<skipped message="needs: SAML site"/>');
  expect(code).toBe(0);
});

test('accounts can be listed and codes come from a command; a failure of the scenario leaves the rule undecided and exits with code 2', async () => {
  const users = [{ userName: 'nobody', password: 'any', sites: ['harbor'] }];
  const file = {
    ...service.scenario,
    accounts: { ...service.scenario.accounts, 'password-change': users },
    code: { command: [process.execPath, '-p', '"no code for {userName}"'] },
  };
  writeFileSync(join(folder, 'faulty.json'), JSON.stringify(file));
  const { code, printed } = await run(
    `${service.url} --scenario faulty.json --rule code.right --rule code.before-password`,
  );
  expect(printed).toContain('Seen: There is no code of six digits in: no code for ');
  expect(printed).toContain('code.before-password');
  expect(code).toBe(1);
  expect((await run(`${service.url} --scenario faulty.json --rule code.right`)).code).toBe(2);
});

test.each([
  ['--scenario scenario.json', 'One address'],
  ['http://localhost:1', '--scenario is needed'],
  ['http://localhost:1 --scenario scenario.json --rule no.rule', 'There is no rule no.rule'],
  ['http://localhost:1 --scenario none.json', 'none.json'],
  ['http://localhost:1 --faster', '--faster'],
])('%s is rejected with exit code 2', async (commandLine, reason) => {
  const { code, noted } = await run(commandLine);
  expect(noted).toContain(reason);
  expect(code).toBe(2);
});

test('an unreachable service exits with code 2 without running a rule', async () => {
  const { code, printed, noted } = await run('http://localhost:1 --scenario scenario.json');
  expect([code, printed]).toEqual([2, '']);
  expect(noted).toContain('There is no service at http://localhost:1: ');
});

test('anteroom verify-service lists the same rules as the conformance kit’s own command', async () => {
  const bin = fileURLToPath(new URL('../../identity/bin/anteroom.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [bin, 'verify-service', '--list']);
  expect(stdout).toBe(`${(await run('--list')).printed}\n`);
  expect(stdout).toContain('request.anti-forgery\n    Every call except GET');
});
