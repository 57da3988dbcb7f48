import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsOf, presets } from '../admin/connection-guides.ts';
import { startOpenidCompany } from '../../testing/company/openid-company.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { openTestDatabase } from '../../testing/describe-store.ts';
import { findConnectionOfDomain } from '../company/connections-store.ts';
import { createSelfSignedCertificate } from '../company/saml/own-keys.ts';
import { MetadataRefusal, readProviderMetadata } from '../company/saml/provider-metadata.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const certificate = createSelfSignedCertificate(privateKey, 'idp.corp.example');
const bare = certificate.replace(/-----[^-]+-----|\s/g, '');

const metadata = (
  more = '',
  keys = `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>
  ${bare}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
) => `<?xml version="1.0" encoding="UTF-8"?>
<!-- made by the provider -->
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#"
  entityID="https://idp.corp.example/metadata">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys}
    <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.corp.example/slo"/>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.corp.example/post"/>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.corp.example/sso"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>${more}`;

const file = (name: string, text: string | Buffer): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'anteroom-connections-')), name);
  writeFileSync(path, text);
  return path;
};

async function open() {
  const database = await openTestDatabase();
  const commandLine = createCommandLine(database);
  await commandLine.run('sites import -', 'name,displayName\ncorp,Corp\nother,Other\n');
  return { ...commandLine, database: database.database, close: database.close };
}

describe('anteroom connections', () => {
  test('a SAML connection can be added from metadata or options, tested, disabled and removed', async () => {
    const { run, context, database, close } = await open();
    const added = await run(
      [
        'connections',
        'add',
        'Corp',
        '--display-name',
        'Corp',
        '--kind',
        'saml',
        '--metadata',
        file('idp.xml', metadata()),
      ].concat(['--domains', 'Corp.Example, corp.test', '--sites', 'corp', '--just-in-time']),
    );
    expect(added).toMatchObject({ code: 0, output: 'added corp\n', errors: '' });
    expect((await run('connections show corp --json')).json()).toMatchObject([
      {
        issuer: 'https://idp.corp.example/metadata',
        entryPoint: 'https://idp.corp.example/sso',
        logoutUrl: 'https://idp.corp.example/slo',
        certificates: [bare],
        domains: ['corp.example', 'corp.test'],
        sites: ['corp'],
        justInTime: true,
      },
    ]);
    const { keys } = await context.services();
    expect(await findConnectionOfDomain(database, keys, 'corp.test')).toMatchObject({
      kind: 'saml',
      name: 'corp',
    });

    const tested = await run('connections test corp --json');
    expect(tested.code).toBe(0);
    expect(tested.json()).toContainEqual(
      expect.objectContaining({ check: 'register at the provider: assertion consumer' }),
    );

    const other = [
      'connections',
      'add',
      'second',
      '--display-name',
      'S',
      '--kind',
      'saml',
      '--issuer',
      'urn:x',
    ];
    const options = [
      '--entry-point',
      'https://x.example/sso',
      '--certificate-file',
      file('x.pem', certificate),
    ];
    expect(
      await run([...other, ...options, '--domains', 'corp.test', '--sites', 'corp,nowhere']),
    ).toMatchObject({
      code: 1,
      errors: expect.stringMatching(
        /corp\.test is a domain of corp[\s\S]*corp has the connection corp[\s\S]*no site nowhere/,
      ),
    });
    expect(await run([...other, ...options])).toMatchObject({ code: 0 });
    expect(
      await run([...other, '--update', '--kind', 'openid', '--client-id', 'x', '--public-client']),
    ).toMatchObject({ code: 1 });

    expect(await run('connections disable corp')).toMatchObject({ code: 0 });
    expect(await findConnectionOfDomain(database, keys, 'corp.test')).toBeUndefined();
    expect(await run('connections test corp')).toMatchObject({ code: 1 });
    const listed = await run('connections list');
    expect(listed.output).toMatch(/^name +displayName +kind +issuer/);
    expect(listed.output).not.toContain(bare);
    expect((await run('connections list --csv')).output).toContain(bare);
    expect(await run('connections remove corp')).toMatchObject({
      code: 0,
      output: 'removed corp\n  sessions: 0\n',
    });
    expect((await run('connections list --json')).json().map(({ name }) => name)).toEqual(['second']);
    await close();
  });

  test('metadata can be fetched from an address, which is stored until a file replaces it', async () => {
    const { run, close } = await open();
    const server = createServer((_request, response) => void response.end(metadata()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`;
    const added = 'connections add corp --display-name Corp --kind saml --domains corp.example --metadata';
    expect(await run([...added.split(' '), address])).toMatchObject({ code: 0 });
    expect((await run('connections show corp --json')).json()).toMatchObject([
      { issuer: 'https://idp.corp.example/metadata', metadataUrl: address, certificates: [bare] },
    ]);
    expect((await run('connections test corp --json')).json()).toContainEqual({
      check: 'metadata',
      ok: true,
      detail: `https://idp.corp.example/metadata at ${address}`,
    });
    await run(['connections', 'update', 'corp', '--metadata', file('idp.xml', metadata())]);
    expect((await run('connections show corp --json')).json()).toMatchObject([{ metadataUrl: null }]);
    await new Promise((resolve) => server.close(resolve));
    expect(await run(['connections', 'update', 'corp', '--metadata', address])).toMatchObject({
      code: 1,
      errors: expect.stringContaining(`${address} cannot be read`),
    });
    await close();
  });

  test('connections test reports transient NameIDs, according to the metadata or a refused sign-in', async () => {
    const { run, context, database, close } = await open();
    const transient = metadata().replace(
      '<md:SingleLogoutService',
      '<md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:transient</md:NameIDFormat><md:SingleLogoutService',
    );
    const added = 'connections add corp --display-name Corp --kind saml --domains corp.example --metadata';
    await run([...added.split(' '), file('idp.xml', transient)]);
    const failing = { code: 1, errors: expect.stringContaining('set --name-id-format persistent') };
    expect(await run('connections test corp')).toMatchObject(failing);
    expect(await run('connections update corp --name-id-format transient')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('must not be transient'),
    });
    await run('connections update corp --name-id-format persistent');
    expect(await run('connections test corp')).toMatchObject({
      code: 0,
      output: expect.stringContaining('urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'),
    });

    await run([
      ...added.replace('corp', 'other').replace('corp.example', 'other.example').split(' '),
      file('idp.xml', metadata()),
    ]);
    expect(await run('connections test other')).toMatchObject({ code: 0 });
    const at = new Date(context.clock.now().getTime() + 1000);
    const refused = { event: 'external.prove', result: 'failure', reason: 'name_id_format' } as const;
    await database
      .insertInto('audit_events')
      .values({ ...refused, at, connection: 'other', correlation_id: 'x' })
      .execute();
    expect(await run('connections test other')).toMatchObject(failing);
    await close();
  });

  test('a decryption key is stored encrypted, stays when other fields change, and is refused for OpenID connections', async () => {
    const { run, context, database, close } = await open();
    const { keys } = await context.services();
    await run([
      ...'connections add corp --display-name Corp --kind saml --decryption-key new --metadata'.split(' '),
      file('idp.xml', metadata()),
      ...'--domains corp.example'.split(' '),
    ]);
    const keysOf = async () => {
      const found = await findConnectionOfDomain(database, keys, 'corp.example');
      return found?.kind === 'saml' ? found.decryptionKeys : [];
    };
    const [first] = await keysOf();
    expect(first).toContain('BEGIN PRIVATE KEY');
    await run('connections update corp --display-name Corporation');
    expect(await keysOf()).toEqual([first]);
    await run('connections update corp --decryption-key new');
    await run('connections update corp --decryption-key new');
    const present = await keysOf();
    expect(present).toHaveLength(2);
    expect(present).not.toContain(first);
    const shown = await run('connections show corp --json');
    expect(shown.json()).toMatchObject([{ decryptionKeys: 'stored, encrypted' }]);
    expect(shown.output).not.toContain('PRIVATE KEY');
    await run('connections update corp --decryption-key none');
    expect(await keysOf()).toEqual([]);
    expect(
      await run('connections add other --display-name O --kind openid --decryption-key new --public-client'),
    ).toMatchObject({ code: 2 });
    await close();
  });

  test('the secret of an OpenID connection is stored encrypted, and test contacts the provider', async () => {
    const { run, context, database, close } = await open();
    const company = await startOpenidCompany({ redirectUri: 'http://localhost:4400/external/callback' });
    const words = [
      'connections',
      'add',
      'corp',
      '--display-name',
      'Corp',
      '--kind',
      'openid',
      '--issuer',
      company.issuer,
    ];
    expect(await run([...words, '--client-id', company.clientId])).toMatchObject({ code: 2 });
    expect(
      await run(
        [
          ...words,
          ...'--domains corp.example --sign-out-there --secret-stdin --client-id'.split(' '),
          company.clientId,
        ],
        `${company.clientSecret}\n`,
      ),
    ).toMatchObject({ code: 0, errors: '' });
    const { keys } = await context.services();
    expect(await findConnectionOfDomain(database, keys, 'corp.example')).toMatchObject({
      clientSecret: company.clientSecret,
    });
    const kept = JSON.stringify([
      await database.selectFrom('connections').selectAll().execute(),
      await database.selectFrom('audit_events').selectAll().execute(),
      (await run('connections show corp')).output,
    ]);
    expect(kept).not.toContain(company.clientSecret);

    const tested = await run('connections test corp --json');
    expect({ code: tested.code, findings: tested.json() }).toMatchObject({
      code: 0,
      findings: expect.arrayContaining([
        { check: 'discovery', ok: true, detail: company.issuer },
        expect.objectContaining({ check: 'keys', ok: true }),
        { check: 'sign-out at the provider', ok: true, detail: `${company.issuer}/session/end` },
        {
          check: 'register at the provider: address after a sign-out',
          ok: true,
          detail: 'http://localhost:4400/external/signed-out',
        },
        {
          check: 'register at the provider: back-channel sign-out',
          ok: true,
          detail: 'http://localhost:4400/external/back-channel-sign-out/corp',
        },
      ]),
    });
    await run(
      'connections update corp --token-authentication client_secret_basic_unencoded --first-name-claim vorname',
    );
    expect(await findConnectionOfDomain(database, keys, 'corp.example')).toMatchObject({
      clientSecret: company.clientSecret,
      settings: { tokenAuthentication: 'client_secret_basic_unencoded', firstNameClaim: 'vorname' },
    });
    await run([
      'connections',
      'update',
      'corp',
      '--issuer',
      company.issuer.replace('127.0.0.1', 'localhost'),
    ]);
    expect(await run('connections test corp')).toMatchObject({
      code: 1,
      errors: expect.stringContaining(
        `expected ${company.issuer.replace('127.0.0.1', 'localhost')}, found ${company.issuer}`,
      ),
    });
    await company.close();
    expect(await run('connections test corp')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('discovery'),
    });
    await run('connections update corp --public-client --no-sign-out-there');
    expect(await findConnectionOfDomain(database, keys, 'corp.example')).toMatchObject({
      clientSecret: undefined,
      settings: { signOutThere: false },
    });
    await close();
  });
});

describe('anteroom connections guide', () => {
  let shared: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    shared = await open();
  });
  afterAll(() => shared.close());

  test.each(presets.flatMap((preset) => kindsOf(preset).map((kind) => [preset, kind] as const)))(
    'for %s with %s contains the addresses of this installation and a valid command',
    async (preset, kind) => {
      const name = `${preset}-${kind}`;
      const lines = (await shared.run(`connections guide ${name} ${preset} --kind ${kind} --json`)).json();
      const values = lines.filter(({ where }) => where === 'provider').map(({ value }) => value);
      const saml = preset === 'lemonldap' ? '/saml/metadata/<site>' : '/saml/acs';
      expect(values.join(' ')).toContain(
        `http://localhost:4400${kind === 'openid' ? '/external/callback' : saml}`,
      );
      const command = String(lines.find(({ what }) => what === 'connect')?.['value']);
      const words = command
        .replace('npx anteroom ', '')
        .replace(/--metadata .* (?=--name-id-format)/, `--metadata ${file('idp.xml', metadata())} `)
        .replace('--domains <domains of the company> --sites <sites>', `--domains ${name}.example`)
        .replaceAll(/<[^>]*>/g, 'x');
      expect(await shared.run(words, 'a-secret\n')).toMatchObject({ code: 0, errors: '' });
    },
  );

  test('uses the kind and a site of an existing connection, and rejects a kind without a guide', async () => {
    const { run } = shared;
    await run([
      ...'connections add corp --display-name Corp --kind saml --sites corp --metadata'.split(' '),
      file('idp.xml', metadata()),
    ]);
    expect((await run('connections guide corp lemonldap')).output).toContain('/saml/metadata/corp');
    expect((await run('connections guide corp keycloak')).output).toContain('/saml/acs');
    expect(await run('connections guide corp adfs --kind openid')).toMatchObject({ code: 2 });
    expect(await run('connections guide corp nothing')).toMatchObject({ code: 2 });
    expect(await run('connections guide a/b adfs')).toMatchObject({ code: 1 });
  });
});

describe('metadata of a provider', () => {
  test('can follow a byte order mark or empty lines', () => {
    for (const before of ['\ufeff', '\n', '\ufeff \r\n\t'])
      expect(readProviderMetadata(`${before}${metadata()}`, new Date())).toMatchObject({
        entryPoint: 'https://idp.corp.example/sso',
      });
  });

  test.each([
    ['UTF-16', Buffer.from(`\ufeff${metadata()}`, 'utf16le'), 'is UTF-16, not UTF-8'],
    ['Latin-1', Buffer.from(`<!--\u00e9-->${metadata()}`, 'latin1'), 'is not UTF-8'],
  ])('in %s is refused with the reason, from a file and from an address', async (_what, bytes, reason) => {
    const { run, close } = await open();
    const server = createServer((_request, response) => void response.end(bytes));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`;
    const added = 'connections add corp --display-name Corp --kind saml --metadata'.split(' ');
    expect((await run([...added, address])).errors).toBe(`metadata: ${address} ${reason}\n`);
    const name = file('idp.xml', bytes);
    expect((await run([...added, name])).errors).toBe(`${name} ${reason}\n`);
    await new Promise((resolve) => server.close(resolve));
    await close();
  });

  test('can name only the POST binding; if it names both, the redirect binding is used', () => {
    expect(readProviderMetadata(metadata(), new Date())).toMatchObject({
      entryPoint: 'https://idp.corp.example/sso',
      entryPointBinding: 'redirect',
    });
    expect(
      readProviderMetadata(metadata().replace(/<md:SingleSignOnService[^>]*Redirect[^>]*>/, ''), new Date()),
    ).toMatchObject({
      entryPoint: 'https://idp.corp.example/post',
      entryPointBinding: 'post',
    });
  });

  test('during a key rotation yields both signing certificates, and no encryption certificate', () => {
    const key = (use: string, text: string) =>
      `<md:KeyDescriptor${use}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${text}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
    const keys =
      key(' use="signing"', 'AAAA') +
      key('', 'BBBB') +
      key(' use="signing"', 'AAAA') +
      key(' use="encryption"', 'CCCC');
    expect(readProviderMetadata(metadata('', keys), new Date()).certificates).toEqual(['AAAA', 'BBBB']);
  });

  test.each<[string, string]>([
    [
      'a document type',
      metadata().replace(
        '<!-- made by the provider -->',
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
      ),
    ],
    ['more than one root element', metadata('<more/>')],
    ['no certificate', metadata('', '')],
    ['no address', metadata().replaceAll('SingleSignOnService', 'NameIDMappingService')],
    ['no provider', metadata().replaceAll('IDPSSODescriptor', 'SPSSODescriptor')],
    ['no markup', 'https://idp.corp.example/metadata'],
    ['comments that never end', `<a>${'<!--'.repeat(100_000)}</a>`],
    ['200 levels', `${'<a>'.repeat(200)}${'</a>'.repeat(200)}`],
  ])('with %s is refused', (_what, xml) => {
    expect(() => readProviderMetadata(xml, new Date())).toThrow(MetadataRefusal);
  });
});
