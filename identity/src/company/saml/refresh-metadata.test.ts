import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeStore } from '../../../testing/describe-store.ts';
import { storeConnection } from '../../../testing/store-connection.ts';
import { movableClock } from '../../../testing/movable-clock.ts';
import { createSigner } from '../../../testing/saml/responses.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import type { SamlSettings } from '../connection.ts';
import { findCertificateExpiries } from './certificates.ts';
import { refreshMetadata } from './refresh-metadata.ts';
import type { MetadataEvent } from './refresh-metadata.ts';

const [signer, next] = ['idp', 'idp next'].map(createSigner);
const bare = (pem = ''): string => pem.replace(/-----[^-]+-----|\s/g, '');
const issuer = 'https://idp.corp.example/metadata';

const metadata = ({
  certificates = [next!.certificate],
  entityId = issuer,
  entryPoint = 'https://idp.corp.example/new-sso',
  more = '',
} = {}): string =>
  `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${entityId}"${more}><IDPSSODescriptor>${certificates
    .map(
      (certificate) =>
        `<KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${bare(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`,
    )
    .join(
      '',
    )}<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${entryPoint}"/></IDPSSODescriptor></EntityDescriptor>`;

describeStore('the daily refresh of metadata', (store) => {
  const clock = movableClock(new Date('2026-11-23T00:00:00.000Z'));
  let answer: { status: number; body: string };
  let noted: MetadataEvent[];
  let requestCount = 0;
  const server = createServer((_request, response) => {
    requestCount += 1;
    response.writeHead(answer.status).end(answer.body);
  });
  let metadataUrl: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    metadataUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(async () => {
    await store().database.deleteFrom('connections').execute();
    answer = { status: 200, body: metadata() };
    noted = [];
    requestCount = 0;
  });

  const settings: SamlSettings = {
    issuer,
    entryPoint: 'https://idp.corp.example/sso',
    certificates: [bare(signer!.certificate)],
  };
  const connect = (changes: Partial<SamlSettings> = {}, name = 'corp') =>
    storeConnection(
      { database: store().database, clock },
      name,
      { name },
      { kind: 'saml', settings: { ...settings, metadataUrl, ...changes } },
    );
  const refresh = ({ production = false, privateAddresses = true } = {}) =>
    refreshMetadata({
      database: store().database,
      clock,
      log: pino({ level: 'silent' }),
      note: (event) => void noted.push(event),
      config: { production, external: { privateAddresses, insecure: true, requestsPerTenMinutes: 1 } },
    });
  const kept = async (): Promise<unknown> =>
    (await store().database.selectFrom('connections').select('settings').executeTakeFirstOrThrow()).settings;

  test('applies a new certificate and URL, records it, and reads the metadata again a day later', async () => {
    await connect();
    expect(await refresh()).toEqual({ read: 1, refused: 0 });
    expect(await kept()).toMatchObject({
      issuer,
      metadataUrl,
      entryPoint: 'https://idp.corp.example/new-sso',
      certificates: [bare(next!.certificate)],
    });
    expect(noted).toMatchObject([
      {
        event: 'connection.refresh',
        result: 'success',
        connection: 'corp',
        details: { fields: expect.stringContaining('certificates') as unknown },
      },
    ]);
    await refresh();
    expect(requestCount).toBe(1);
    clock.advanceSeconds(24 * 3600);
    await refresh();
    expect(requestCount).toBe(2);
    expect(noted).toHaveLength(1);
  });

  test.each<[string, () => { status: number; body: string }, RegExp]>([
    ['an error response', () => ({ status: 503, body: metadata() }), /status 503/],
    ['a redirect', () => ({ status: 302, body: '' }), /status 302/],
    ['text that is not XML', () => ({ status: 200, body: 'soon back' }), /cannot be read/],
    ['no certificate', () => ({ status: 200, body: metadata({ certificates: [] }) }), /signing certificate/],
    [
      'an unusable certificate',
      () => ({ status: 200, body: metadata({ certificates: ['AAAA'] }) }),
      /certificate that cannot be used/,
    ],
    [
      'another provider',
      () => ({ status: 200, body: metadata({ entityId: 'https://elsewhere.example' }) }),
      /another provider: expected https:\/\/idp\.corp\.example\/metadata, found https:\/\/elsewhere/,
    ],
    [
      'a script URL',
      () => ({ status: 200, body: metadata({ entryPoint: 'javascript:alert(1)' }) }),
      /must begin with https/,
    ],
    [
      'expired metadata',
      () => ({ status: 200, body: metadata({ more: ' validUntil="2026-01-01T00:00:00Z"' }) }),
      /is not valid: expired/,
    ],
    [
      'a document type',
      () => ({ status: 200, body: `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${metadata()}` }),
      /cannot be read/,
    ],
  ])(
    'keeps the last good copy if the URL returns %s, and retries in the next run',
    async (_what, make, reason) => {
      await connect();
      const before = await kept();
      answer = make();
      expect(await refresh()).toEqual({ read: 0, refused: 1 });
      expect(await kept()).toEqual(before);
      expect(noted).toMatchObject([
        { event: 'connection.refresh', result: 'failure', reason: expect.stringMatching(reason) as unknown },
      ]);
      answer = { status: 200, body: metadata() };
      expect(await refresh()).toEqual({ read: 1, refused: 0 });
    },
  );

  test('rejects http URLs in production, and private addresses unless the operator allows them', async () => {
    await connect();
    answer = { status: 200, body: metadata({ entryPoint: 'http://idp.corp.example/sso' }) };
    expect(await refresh({ production: true })).toEqual({ read: 0, refused: 1 });
    expect(requestCount).toBe(1);
    expect(await refresh({ privateAddresses: false })).toEqual({ read: 0, refused: 1 });
    expect(requestCount).toBe(1);
  });

  test('skips connections that are disabled or have no URL, and one failure does not affect the others', async () => {
    await connect({ metadataUrl: undefined });
    await connect({ metadataUrl: 'http://127.0.0.1:1/metadata' }, 'away');
    await connect({}, 'third');
    expect(await refresh()).toEqual({ read: 1, refused: 1 });
    await store().database.updateTable('connections').set({ disabled_at: clock.now() }).execute();
    clock.advanceSeconds(24 * 3600);
    expect(await refresh()).toEqual({ read: 0, refused: 0 });
  });

  test('a metric reports when the last certificate of each connection expires', async () => {
    await connect({ certificates: [signer!.certificate, next!.certificate] });
    const expiries = await findCertificateExpiries(store().database);
    const metrics = createMetrics({ processMetrics: false });
    metrics.watchCertificates(() => findCertificateExpiries(store().database));
    const seconds = (expiries[0]?.expiresAt.getTime() ?? 0) / 1000;
    expect(seconds).toBeGreaterThan(Date.now() / 1000);
    expect(await metrics.registry.metrics()).toContain(
      `anteroom_connection_certificate_expiry_seconds{connection="corp"} ${seconds}`,
    );
  });
});
