import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine } from '../../../testing/command-line.ts';
import { openEmbeddedTestDatabase } from '../../../testing/describe-store.ts';
import type { TestDatabase } from '../../../testing/describe-store.ts';
import { parseSigningKeys } from '../../lib/signing-keys.ts';
import { algorithms, makeSigningKey } from './make-key.ts';

let store: TestDatabase;
beforeAll(async () => void (store = await openEmbeddedTestDatabase()));
afterAll(() => store.close());

const first = makeSigningKey('ES256');
const secrets = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64url'));
const settings = { SIGNING_JWKS: JSON.stringify({ keys: [first] }), SECRETS: secrets.join(',') };
const run = (words: string | string[], more: Record<string, string> = {}, input = '') =>
  createCommandLine(store, undefined, { ...settings, ...more }).run(words, input);
const kidsOf = (value: string) => parseSigningKeys(value)?.keys.map(({ kid }) => kid);

test.each(algorithms)('a key for %s is one that the service takes', (alg) => {
  const key = makeSigningKey(alg);
  expect(parseSigningKeys(JSON.stringify({ keys: [key] }))?.keys).toMatchObject([
    { alg, use: 'sig', kid: key.kid },
  ]);
});

test('a key’s name is one that a command line takes for nothing else', () => {
  for (const alg of algorithms) expect(makeSigningKey(alg).kid).toMatch(/^[0-9a-f]{16}$/);
});

test('a rotation: published, then signed with, then the old one retired', async () => {
  const added = await run('keys add --alg ES256');
  const [old, made = ''] = kidsOf(added.output) ?? [];
  expect(old).toBe(first.kid);
  expect(added.errors).toContain('1. SIGNING_JWKS with this value on every node');
  const withBoth = { SIGNING_JWKS: added.output };
  expect(await run(`keys retire ${first.kid}`, withBoth)).toMatchObject({ code: 1 });
  const used = await run(`keys use ${made}`, withBoth);
  expect(kidsOf(used.output)).toEqual([made, first.kid]);
  const retired = await run(`keys retire ${first.kid}`, { SIGNING_JWKS: used.output });
  expect(kidsOf(retired.output)).toEqual([made]);
  expect(await run('keys use nothing')).toMatchObject({ code: 1, errors: 'there is no key nothing\n' });
});

test('a value goes into a file that its owner alone may read, and into none that is there', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'anteroom-keys-')), 'signing.json');
  expect(await run(['keys', 'add', '--alg', 'ES256', '--file', file])).toMatchObject({ code: 0, output: '' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(kidsOf(readFileSync(file, 'utf8'))).toHaveLength(2);
  expect(await run(['keys', 'add', '--file', file])).toMatchObject({ code: 1 });
});

test('what is listed names keys and shows none', async () => {
  const { output } = await run('keys list --json');
  expect(output).toContain(first.kid);
  for (const secret of [...secrets, String(first['d'])]) expect(output).not.toContain(secret);
  expect((await run('keys list --json')).json()).toHaveLength(3);
});

test('a secret is retired once nothing is sealed with it any more', async () => {
  const words =
    'connections add corp --display-name C --kind openid --issuer https://idp.example --client-id x --secret-stdin';
  expect(await run(words, { SECRETS: secrets[1]! }, 'the-secret')).toMatchObject({ code: 0 });
  expect(await run('keys retire-secret', { SECRETS: secrets[1]! })).toMatchObject({ code: 1 });
  const added = await run('keys add-secret', { SECRETS: secrets[1]! });
  expect(added.output.trim().split(',')).toEqual([expect.stringMatching(/^[\w-]{43}$/), secrets[1]]);
  const withBoth = { SECRETS: added.output.trim() };
  expect(await run('keys retire-secret', withBoth)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('corp'),
  });
  expect(await run('keys reseal', withBoth)).toMatchObject({ code: 0, output: '1 sealed anew\n' });
  const retired = await run('keys retire-secret', withBoth);
  expect(retired.output.trim()).toBe(added.output.split(',')[0]);
});
