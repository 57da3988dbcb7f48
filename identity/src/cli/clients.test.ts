import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCommandLine } from '../../testing/command-line.ts';
import { openEmbeddedTestDatabase } from '../../testing/describe-store.ts';
import type { TestDatabase } from '../../testing/describe-store.ts';
import { isFingerprintOf } from '../openid/fingerprint.ts';
import { findDoubtsOfClient, findFaultsOfClient } from '../admin/client-checks.ts';

describe('anteroom clients', () => {
  let opened: TestDatabase;
  beforeAll(async () => void (opened = await openEmbeddedTestDatabase()));
  afterAll(() => opened.close());
  const store = () => opened;

  const run = (...given: Parameters<ReturnType<typeof createCommandLine>['run']>) =>
    createCommandLine(store()).run(...given);
  const add = (id: string, ...more: string[]) =>
    run([
      'clients',
      'add',
      id,
      '--display-name',
      'Boards',
      '--redirect-uris',
      'https://boards.example/callback',
      ...more,
    ]);
  const rowOf = (id: string) =>
    store().database.selectFrom('clients').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  test('an application is registered, and its secret is shown once and kept as a fingerprint', async () => {
    const added = await add(
      'boards',
      '--home-uri',
      'https://boards.example/',
      '--offline-access',
      '--skip-splash',
    );
    expect(added.code).toBe(0);
    const [, secret = ''] = added.output.trim().split('\n');
    const { metadata } = await rowOf('boards');
    expect(isFingerprintOf(String(metadata['client_secret']), secret)).toBe(true);
    expect(metadata).toMatchObject({
      redirect_uris: ['https://boards.example/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
    });
    const shown = await run('clients show boards --json');
    expect(shown.json()).toMatchObject([
      { id: 'boards', homeUri: 'https://boards.example/', offlineAccess: true, skipSplash: true },
    ]);
    expect(JSON.stringify([shown.output, (await run('clients list --json')).output])).not.toContain(
      String(metadata['client_secret']),
    );
  });

  test('the settings of what a client gets are kept, and taken back', async () => {
    await add('settings', '--pkce-optional', '--id-token-profile');
    expect((await run('clients show settings --json')).json()).toMatchObject([
      { pkceOptional: true, idTokenProfile: true },
    ]);
    await run('clients update settings --no-pkce-optional --no-id-token-profile');
    const { metadata } = await rowOf('settings');
    expect(metadata).not.toHaveProperty('pkce_optional');
    expect(metadata).not.toHaveProperty('id_token_profile');
  });

  test('a service and an API are registered without redirect addresses, and nothing else is', async () => {
    const addBare = (id: string, ...more: string[]) =>
      run(['clients', 'add', id, '--display-name', id, ...more]);
    const api = ['--resource', 'https://api.example/', '--resource-scopes', 'read write'];
    expect(await addBare('api', ...api)).toMatchObject({ code: 0 });
    const service = ['--client-credentials', '--resources', 'https://api.example/'];
    expect(await addBare('service', ...service)).toMatchObject({ code: 0 });
    expect((await rowOf('service')).metadata).toMatchObject({
      grant_types: ['client_credentials'],
      resources: ['https://api.example/'],
    });
    const refused = await addBare('neither');
    expect(refused.code).toBe(1);
    expect(refused.errors).toContain('redirectUris');
  });

  test('an API is refused at the address of another API, which a change to itself does not meet', async () => {
    const addApi = (id: string) =>
      run(['clients', 'add', id, '--display-name', id, '--resource', 'https://minutes.example/']);
    expect(await addApi('minutes')).toMatchObject({ code: 0 });
    const refused = await addApi('minutes-copy');
    expect(refused.code).toBe(1);
    expect(refused.errors).toContain('resource: is the address of the client minutes already');
    expect(await run('clients update minutes --resource-scopes read')).toMatchObject({ code: 0 });
  });

  test('a new secret replaces the one before; a change of something else leaves it', async () => {
    await add('rotated');
    const before = (await rowOf('rotated')).metadata['client_secret'];
    expect(await run(['clients', 'update', 'rotated', '--product-name', 'Board room'])).toMatchObject({
      code: 0,
    });
    expect((await rowOf('rotated')).metadata).toMatchObject({
      client_secret: before,
      branding: { productName: 'Board room' },
    });
    const { output } = await run('clients secret rotated --json');
    const { secret } = JSON.parse(output) as { secret?: string };
    expect(isFingerprintOf(String((await rowOf('rotated')).metadata['client_secret']), String(secret))).toBe(
      true,
    );
  });

  test('members of a registration that the command does not know stay', async () => {
    await add('older');
    const { metadata } = await rowOf('older');
    await store()
      .database.updateTable('clients')
      .set({ metadata: JSON.stringify({ ...metadata, policy_uri: 'https://boards.example/policy' }) })
      .where('id', '=', 'older')
      .execute();
    await run(['clients', 'add', 'older', '--update', '--display-name', 'Newer']);
    expect((await rowOf('older')).metadata).toMatchObject({ policy_uri: 'https://boards.example/policy' });
  });

  test.each<[string, string[], string]>([
    ['the provider would not take', ['--redirect-uris', 'https://a.example/#here'], 'redirect'],
    [
      'an address of a stranger for the browser to follow',
      ['--initiate-login-uri', 'https://b.example/'],
      'initiateLoginUri',
    ],
    ['an address with a script', ['--home-uri', 'javascript:alert(1)'], 'homeUri'],
    ['no way of proving itself', ['--authentication', 'trust'], 'authentication'],
    ['keys that are nowhere', ['--authentication', 'private_key_jwt'], 'jwksUri'],
    ['no colour', ['--accent-colour', 'red'], 'accentColour'],
  ])('what has %s is refused with its field, and nothing is written', async (_what, more, column) => {
    const { code, errors } = await add('refused', ...more);
    expect({ code, errors }).toMatchObject({ code: 1, errors: expect.stringContaining(column) });
    const found = await store()
      .database.selectFrom('clients')
      .select('id')
      .where('id', '=', 'refused')
      .execute();
    expect(found).toEqual([]);
  });

  test('a back-channel address of the private network is refused unless the operator allows it for the client', async () => {
    const guarded = createCommandLine(store(), undefined, { EXTERNAL_PRIVATE_ADDRESSES: 'false' });
    const register = (...more: string[]) =>
      guarded.run([
        'clients',
        'add',
        'inner',
        '--display-name',
        'Inner',
        '--redirect-uris',
        'https://boards.example/callback',
        '--back-channel-logout-uri',
        'https://10.1.2.3/signed-out',
        ...more,
      ]);
    const refused = await register();
    expect(refused.code).toBe(1);
    expect(refused.errors).toContain('--back-channel-logout-private');
    expect((await register('--back-channel-logout-private')).code).toBe(0);
    expect((await rowOf('inner')).metadata).toMatchObject({ backchannel_logout_private: true });
    await guarded.run('clients update inner --no-back-channel-logout-private --back-channel-logout-uri=');
    expect((await rowOf('inner')).metadata).not.toHaveProperty('backchannel_logout_private');
  });

  test('a dry run writes nothing and makes no secret; what is missing is named', async () => {
    const { output } = await add('dry', '--dry-run');
    expect(output).toBe(
      'add dry\nclients: 1 added, 0 changed, 0 left as they are (a dry run: nothing was written)\n',
    );
    expect(await run('clients show dry')).toMatchObject({ code: 1, errors: 'there is no client dry\n' });
    expect(await run('clients add bare')).toMatchObject({ code: 2 });
    expect(await run('clients update nobody --display-name X')).toMatchObject({ code: 1 });
  });

  test('a removed application has nothing left, and what was done is in the audit log', async () => {
    await add('gone', '--authentication', 'none');
    await store()
      .database.insertInto('openid_records')
      .values({ model: 'AccessToken', id: 'token-of-gone', payload: JSON.stringify({ clientId: 'gone' }) })
      .execute();
    expect(await run('clients remove gone --dry-run')).toMatchObject({
      code: 0,
      output: 'remove gone\n  grants, codes and tokens: 1\na dry run: nothing was removed\n',
    });
    expect(await run('clients remove gone')).toMatchObject({
      code: 0,
      output: 'removed gone\n  grants, codes and tokens: 1\n',
    });
    const left = await store()
      .database.selectFrom('openid_records')
      .select('id')
      .where('id', '=', 'token-of-gone')
      .execute();
    expect(left).toEqual([]);
    const events = (await run('audit list --event operator.change --json')).json();
    expect(events).toContainEqual(
      expect.objectContaining({ clientId: 'gone', details: expect.objectContaining({ verb: 'remove' }) }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({
        details: expect.objectContaining({ noun: 'clients', verb: 'add', name: 'gone' }),
      }),
    );
  });

  test("an application's own label beside a site is set, listed and taken away", async () => {
    await add('labels');
    await run('sites import -', 'name,displayName\nlabels-site,One\n');
    await run('users import -', 'userName,firstName,lastName\nlabels-person,A,B\n');
    expect(await run('members label labels-person labels-site labels Chair')).toMatchObject({ code: 1 });
    await run('members add labels-person labels-site');
    expect(await run('members label labels-person labels-site labels Chair')).toMatchObject({
      code: 0,
      errors: '',
    });
    expect((await run('members labels --client labels --json')).json()).toEqual([
      { userName: 'labels-person', site: 'labels-site', client: 'labels', label: 'Chair' },
    ]);
    await run(['members', 'label', 'labels-person', 'labels-site', 'labels', '']);
    expect((await run('members labels --client labels --json')).json()).toEqual([]);
  });
});

describe('a registration', () => {
  const entry = {
    redirectUris: ['http://localhost:8080/callback'],
    authentication: 'client_secret_basic',
    jwksUri: null,
    homeUri: null,
    frontChannelLogoutUri: null,
    initiateLoginUri: null,
    accentColour: null,
    logoUrl: null,
    resource: null,
    resourceTokens: null,
    clientCredentials: false,
    pkceOptional: false,
  };

  test('has https in production, but for an app on the own machine (RFC 8252, 7.3)', () => {
    expect(findFaultsOfClient(entry, { production: true })).toEqual([]);
    const plain = {
      ...entry,
      homeUri: 'http://boards.example/',
      redirectUris: ['http://boards.example/callback'],
    };
    expect(
      findFaultsOfClient(plain, { production: true })
        .map(({ column }) => column)
        .toSorted(),
    ).toEqual(['homeUri', 'redirectUris']);
    expect(findFaultsOfClient(plain, { production: false })).toEqual([]);
  });

  test('does without PKCE only for a client that authenticates', () => {
    expect(findFaultsOfClient({ ...entry, pkceOptional: true }, { production: true })).toEqual([]);
    const publicClient = { ...entry, pkceOptional: true, authentication: 'none' } as const;
    expect(findFaultsOfClient(publicClient, { production: true })).toMatchObject([
      { column: 'pkceOptional' },
    ]);
  });

  test('is doubted where the pages would change its brand', () => {
    const config = {
      publicUrl: 'https://id.example',
      contentPolicy: { regionOrigins: [], signOutFrameOrigins: [], logoOrigins: ['https://cdn.example'] },
    };
    const doubts = (brand: object) => findDoubtsOfClient({ ...entry, ...brand }, config);
    expect(doubts({ accentColour: '#1f4e79', logoUrl: 'https://cdn.example/logo.svg' })).toEqual([]);
    expect(doubts({ accentColour: '#ffd400' })).toEqual([expect.stringContaining('1.4')]);
    expect(doubts({ logoUrl: 'https://elsewhere.example/logo.svg' })).toEqual([
      expect.stringContaining('LOGO_ORIGINS'),
    ]);
  });
});
