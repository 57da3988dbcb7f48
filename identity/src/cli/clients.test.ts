import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCommandLine } from '../../testing/command-line.ts';
import { openTestDatabase } from '../../testing/describe-store.ts';
import type { TestDatabase } from '../../testing/describe-store.ts';
import { isFingerprintOf } from '../provider/fingerprint.ts';
import { findWarningsOfClient, findFaultsOfClient } from '../admin/client-checks.ts';

describe('anteroom clients', () => {
  let opened: TestDatabase;
  beforeAll(async () => void (opened = await openTestDatabase()));
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

  test('add registers a client, shows its secret once and stores only a fingerprint', async () => {
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

  test('update stores and clears the settings for PKCE and ID tokens', async () => {
    await add('settings', '--pkce-optional', '--id-token-profile', '--id-token-alg', 'ES256');
    expect((await run('clients show settings --json')).json()).toMatchObject([
      { pkceOptional: true, idTokenProfile: true, idTokenAlg: 'ES256' },
    ]);
    await run('clients update settings --no-pkce-optional --no-id-token-profile --id-token-alg=');
    const { metadata } = await rowOf('settings');
    expect(metadata).not.toHaveProperty('pkce_optional');
    expect(metadata).not.toHaveProperty('id_token_profile');
    expect(metadata).not.toHaveProperty('id_token_alg');
  });

  test('only a service or an API can be registered without a redirect address', async () => {
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

  test('an API cannot be added with the address of another API, and an update keeps its own address', async () => {
    const addApi = (id: string) =>
      run(['clients', 'add', id, '--display-name', id, '--resource', 'https://minutes.example/']);
    expect(await addApi('minutes')).toMatchObject({ code: 0 });
    const refused = await addApi('minutes-copy');
    expect(refused.code).toBe(1);
    expect(refused.errors).toContain('resource: is already the address of the client minutes');
    expect(await run('clients update minutes --resource-scopes read')).toMatchObject({ code: 0 });
  });

  test('secret replaces the secret; other changes keep it', async () => {
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

  test('update preserves unknown members of a registration', async () => {
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
    ['a redirect address with a fragment', ['--redirect-uris', 'https://a.example/#here'], 'redirect'],
    ['a login address on another origin', ['--initiate-login-uri', 'https://b.example/'], 'initiateLoginUri'],
    ['an address with a script', ['--home-uri', 'javascript:alert(1)'], 'homeUri'],
    ['an unknown authentication method', ['--authentication', 'trust'], 'authentication'],
    ['private_key_jwt without jwksUri', ['--authentication', 'private_key_jwt'], 'jwksUri'],
    ['a value that is not a colour', ['--accent-colour', 'red'], 'accentColour'],
    ['an unsupported algorithm', ['--id-token-alg', 'HS256'], 'idTokenAlg: must be RS256 or ES256'],
    [
      'an algorithm that the key in use does not support',
      ['--id-token-alg', 'RS256'],
      'idTokenAlg: the signing key in use signs with ES256 only',
    ],
  ])(
    'a client with %s is refused with the name of the field, and nothing is written',
    async (_what, more, column) => {
      const { code, errors } = await add('refused', ...more);
      expect({ code, errors }).toMatchObject({ code: 1, errors: expect.stringContaining(column) });
      const found = await store()
        .database.selectFrom('clients')
        .select('id')
        .where('id', '=', 'refused')
        .execute();
      expect(found).toEqual([]);
    },
  );

  test('a back-channel address in a private network is refused unless the operator allows it for the client', async () => {
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

  test('a dry run writes nothing and creates no secret', async () => {
    const { output } = await add('dry', '--dry-run');
    expect(output).toBe('add dry\nclients: 1 added, 0 changed, 0 unchanged (dry run: nothing was written)\n');
    expect(await run('clients show dry')).toMatchObject({ code: 1, errors: 'there is no client dry\n' });
    expect(await run('clients add bare')).toMatchObject({ code: 2 });
    expect(await run('clients update nobody --display-name X')).toMatchObject({ code: 1 });
  });

  test("remove deletes the client's tokens; changes are in the audit log", async () => {
    await add('gone', '--authentication', 'none');
    await store()
      .database.insertInto('openid_records')
      .values({ model: 'AccessToken', id: 'token-of-gone', payload: JSON.stringify({ clientId: 'gone' }) })
      .execute();
    expect(await run('clients remove gone --dry-run')).toMatchObject({
      code: 0,
      output: 'remove gone\n  grants, codes and tokens: 1\ndry run: nothing was removed\n',
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
      expect.objectContaining({ clientId: 'gone', details: expect.objectContaining({ action: 'remove' }) }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({
        details: expect.objectContaining({ resource: 'clients', action: 'add', name: 'gone' }),
      }),
    );
  });

  test('the label of a membership for one application can be set, listed and removed', async () => {
    await add('labels');
    await run('sites import -', 'name,displayName\nlabels-site,One\n');
    await run('users import -', 'userName,firstName,lastName\nlabels-user,A,B\n');
    expect(await run('members label labels-user labels-site labels Chair')).toMatchObject({ code: 1 });
    await run('members add labels-user labels-site');
    expect(await run('members label labels-user labels-site labels Chair')).toMatchObject({
      code: 0,
      errors: '',
    });
    expect((await run('members labels --client labels --json')).json()).toEqual([
      { userName: 'labels-user', site: 'labels-site', client: 'labels', label: 'Chair' },
    ]);
    await run(['members', 'label', 'labels-user', 'labels-site', 'labels', '']);
    expect((await run('members labels --client labels --json')).json()).toEqual([]);
  });
});

describe('checks of a registration', () => {
  const entry = {
    redirectUris: ['http://localhost:8080/callback'],
    postLogoutRedirectUris: ['http://127.0.0.1:8080/signed-out'],
    applicationType: 'web',
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

  test('production requires https, except for loopback redirect addresses (RFC 8252, 7.3)', () => {
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

  test('PKCE is optional only for a client that authenticates', () => {
    expect(findFaultsOfClient({ ...entry, pkceOptional: true }, { production: true })).toEqual([]);
    const publicClient = { ...entry, pkceOptional: true, authentication: 'none' } as const;
    expect(findFaultsOfClient(publicClient, { production: true })).toMatchObject([
      { column: 'pkceOptional' },
    ]);
  });

  test('warn about branding that the pages change or ignore', () => {
    const config = {
      publicUrl: 'https://id.example',
      contentPolicy: { regionOrigins: [], logoOrigins: ['https://cdn.example'] },
    };
    const warnings = (brand: object) => findWarningsOfClient({ ...entry, ...brand }, config);
    expect(warnings({ accentColour: '#1f4e79', logoUrl: 'https://cdn.example/logo.svg' })).toEqual([]);
    expect(warnings({ accentColour: '#ffd400' })).toEqual([expect.stringContaining('1.4')]);
    expect(warnings({ logoUrl: 'https://elsewhere.example/logo.svg' })).toEqual([
      expect.stringContaining('LOGO_ORIGINS'),
    ]);
  });
});
