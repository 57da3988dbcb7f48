import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCommandLine } from '../../testing/command-line.ts';
import { openTestDatabase } from '../../testing/describe-store.ts';
import type { TestDatabase } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { parseConfig } from '../config/config.ts';
import { createNodeReports } from '../keys/nodes.ts';
import { findDerivedKey } from '../lib/derived-keys.ts';
import type { KeyIds } from '../lib/keys.ts';
import { secretId } from '../lib/keys.ts';
import { createLog } from '../lib/log.ts';
import { secureRandom } from '../lib/random.ts';
import { parseSigningKeys } from '../lib/signing-keys.ts';
import { algorithms, createSigningKey, secretLifeDays } from '../admin/keys.ts';

let store: TestDatabase;
beforeAll(async () => void (store = await openTestDatabase()));
afterAll(() => store.close());

const clock = movableClock(new Date('2026-03-02T10:00:00.000Z'));
const first = createSigningKey('ES256');
const secrets = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64url'));
const settings = { SIGNING_JWKS: JSON.stringify({ keys: [first] }), SECRETS: secrets.join(',') };
const run = (words: string | string[], more: Record<string, string> = {}, input = '') =>
  createCommandLine(store, clock, { ...settings, ...more }).run(words, input);
const kidsOf = (value: string) => parseSigningKeys(value)?.keys.map(({ kid }) => kid);

test.each(algorithms)('a key for %s is accepted by the service', (alg) => {
  const key = createSigningKey(alg);
  expect(parseSigningKeys(JSON.stringify({ keys: [key] }))?.keys).toMatchObject([
    { alg, use: 'sig', kid: key.kid },
  ]);
});

test('the id of a key cannot be mistaken for an option', () => {
  for (const alg of algorithms) expect(createSigningKey(alg).kid).toMatch(/^[0-9a-f]{16}$/);
});

test('a signing key is rotated by add, use and, an hour later, retire', async () => {
  const added = await run('keys add --alg ES256');
  const [old, made = ''] = kidsOf(added.output) ?? [];
  expect(old).toBe(first.kid);
  const withBoth = { SIGNING_JWKS: added.output };
  const retireOld = (more: string = '') => run(`keys retire ${first.kid}${more}`, withBoth);
  expect((await retireOld()).errors).toContain('is in use');
  expect(await run(`keys use ${made}`, withBoth)).toMatchObject({ code: 0 });
  expect((await retireOld()).errors).toContain('--early');
  clock.advanceSeconds(3601);
  expect(kidsOf((await retireOld()).output)).toEqual([made]);
  expect(await run('keys use nothing')).toMatchObject({ code: 1 });
  expect((await run(`keys list`, withBoth)).output).toMatch(new RegExp(`${made} +in use`));
  expect(await run(`keys use ${first.kid}`, withBoth)).toMatchObject({ code: 0 });
});

test('a key can be used once every live node has it, regardless of the order in the setting', async () => {
  const made = createSigningKey('ES256');
  const keyIds = { SIGNING_JWKS: [first.kid], SECRETS: [] };
  const services = { database: store.database, clock, random: secureRandom, log: createLog('silent') };
  const reportNode = async (known: KeyIds) => {
    const node = createNodeReports(services, known);
    await node.report();
    return node;
  };
  const node = await reportNode(keyIds);
  const withNewFirst = { SIGNING_JWKS: JSON.stringify({ keys: [made, first] }) };
  const refused = await run(`keys use ${made.kid}`, withNewFirst);
  expect(refused).toMatchObject({
    code: 1,
    errors: expect.stringContaining(`does not have the key ${made.kid}`),
  });
  await node.stop();
  const later = await reportNode({ ...keyIds, SIGNING_JWKS: [first.kid, made.kid] });
  expect(await run(`keys use ${made.kid}`, withNewFirst)).toMatchObject({ code: 0 });
  clock.advanceSeconds(3601);
  const other = await reportNode({ ...keyIds, SIGNING_JWKS: [first.kid, made.kid] });
  expect((await run(`keys retire ${first.kid}`, withNewFirst)).errors).toContain('still uses');
  await Promise.all([later.stop(), other.stop()]);
  expect(await run(`keys retire ${first.kid}`, withNewFirst)).toMatchObject({ code: 0 });
  expect(await run(`keys use ${first.kid}`, withNewFirst)).toMatchObject({ code: 0 });
});

test('init creates keys that the service accepts', async () => {
  const { output } = await run('keys init');
  const lines = output
    .trim()
    .split('\n')
    .map((line) => line.split(/=(.*)/s).slice(0, 2));
  const { secrets: made, signing } = parseConfig(Object.fromEntries(lines) as Record<string, string>);
  expect(made).toHaveLength(1);
  expect(signing?.keys).toHaveLength(1);
});

test('--file creates a file that only its owner can read, and never overwrites a file', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'anteroom-keys-')), 'signing.json');
  expect(await run(['keys', 'add', '--alg', 'ES256', '--file', file])).toMatchObject({ code: 0, output: '' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(kidsOf(readFileSync(file, 'utf8'))).toHaveLength(2);
  expect(await run(['keys', 'add', '--file', file])).toMatchObject({ code: 1 });
});

test('list shows the ids of keys and no key material', async () => {
  const { output } = await run('keys list --json');
  expect(output).toContain(first.kid);
  for (const secret of [...secrets, String(first['d'])]) expect(output).not.toContain(secret);
  expect((await run('keys list --json')).json()).toHaveLength(3);
});

test('a secret is rotated by add-secret, use, reseal and, when nothing needs the old secret, retire', async () => {
  const [old = ''] = secrets;
  const words =
    'connections add corp --display-name C --kind openid --issuer https://idp.example --client-id x --secret-stdin';
  expect(await run(words, {}, 'the-secret')).toMatchObject({ code: 0 });
  const added = await run('keys add-secret', { SECRETS: old });
  expect(added.output.trim().split(',')).toEqual([old, expect.stringMatching(/^[\w-]{43}$/)]);
  const withBoth = { SECRETS: added.output.trim() };
  const made = added.output.trim().split(',')[1] ?? '';
  const retire = () => run(`keys retire ${secretId(old)}`, withBoth);
  expect((await retire()).errors).toContain('is in use');
  expect(await run(`keys use ${secretId(made)}`, withBoth)).toMatchObject({ code: 0 });
  expect((await retire()).errors).toContain('connection corp is encrypted with it');
  expect(await run('keys reseal', withBoth)).toMatchObject({ code: 0, output: '1 re-encrypted\n' });
  expect((await retire()).errors).toContain('--early');
  clock.advanceSeconds(secretLifeDays * 24 * 3600 + 1);
  expect((await retire()).output.trim()).toBe(made);

  // Recovery codes do not expire.
  expect(await run('users add dana --first-name Dana --last-name Whitfield')).toMatchObject({
    code: 0,
  });
  const { id } = await store.database
    .selectFrom('users')
    .select('id')
    .where('user_name', '=', 'dana')
    .executeTakeFirstOrThrow();
  await store.database
    .insertInto('authenticator_apps')
    .values({ user_id: id, secret_sealed: 'sealed', last_step: 0, created_at: new Date('2026-03-01') })
    .execute();
  await store.database.insertInto('recovery_codes').values({ code_hash: 'hash', user_id: id }).execute();
  expect((await retire()).errors).toContain('the recovery codes of dana can be verified only with');
  expect((await run(`keys retire ${secretId(old)} --early`, withBoth)).code).toBe(0);
});

describe('an RSA key', () => {
  const rsa = createSigningKey('RS256');
  const derived = findDerivedKey(rsa)?.kid ?? '';
  const withBoth = { SIGNING_JWKS: JSON.stringify({ keys: [first, rsa] }) };

  test('is listed with its ES256 key, which is not part of the setting and cannot be used or retired separately', async () => {
    expect((await run('keys list --json', withBoth)).json()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: rsa.kid, use: 'accepted' }),
        {
          setting: 'SIGNING_JWKS',
          key: derived,
          use: `ES256 key of ${rsa.kid}`,
          since: '',
          nodes: '0 of 0',
        },
      ]),
    );
    expect(kidsOf((await run('keys add --alg ES256', withBoth)).output)?.slice(0, 2)).toEqual([
      first.kid,
      rsa.kid,
    ]);
    for (const verb of ['use', 'retire'])
      expect(await run(`keys ${verb} ${derived}`, withBoth)).toMatchObject({
        code: 1,
        errors: expect.stringContaining(`${derived} is the ES256 key that belongs to ${rsa.kid}`),
      });
  });

  test('cannot be replaced by a key that does not support the algorithm of a client', async () => {
    expect(await run(`keys use ${rsa.kid}`, withBoth)).toMatchObject({ code: 0 });
    const add = 'clients add asking --display-name A --redirect-uris https://a.example/back --id-token-alg';
    expect(await run(`${add} RS256`, withBoth)).toMatchObject({ code: 0 });
    expect(await run(`keys use ${first.kid}`, withBoth)).toMatchObject({
      code: 1,
      errors: expect.stringContaining(
        `${first.kid} cannot sign with RS256, the algorithm of the client asking`,
      ),
    });
    expect(await run('clients update asking --id-token-alg ES256', withBoth)).toMatchObject({ code: 0 });
    expect(await run(`keys use ${first.kid}`, withBoth)).toMatchObject({ code: 0 });
  });
});
