import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { portal } from '../../testing/application.ts';
import { secretary } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { parseConfig } from '../config/config.ts';
import { createLog } from '../lib/log.ts';
import { createServer } from './create-server.ts';
import { createReadiness } from './health.ts';

const trusted = '127.0.0.1,10.0.0.0/8,fd00::/8,::ffff:172.16.0.0/108';

describe('the address of a request', () => {
  const config = parseConfig({ NODE_ENV: 'test', TRUSTED_PROXIES: trusted });
  const server = createServer(config, createLog('silent'), createReadiness(), () => '');
  server.get('/address', (request) => ({ address: request.visitorAddress }));

  async function readAddress(forwardedFor: string | undefined, remoteAddress: string): Promise<unknown> {
    const { host } = new URL(config.publicUrl);
    const headers = { host, ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }) };
    const response = await server.inject({ url: '/address', headers, remoteAddress });
    return response.json<{ address: unknown }>().address;
  }

  test.each([
    ['is the connection’s address without a proxy', undefined, '203.0.113.9', '203.0.113.9'],
    ['is converted from IPv4-mapped IPv6', undefined, '::ffff:203.0.113.9', '203.0.113.9'],
    [
      'is the connection’s address if that is not a trusted proxy',
      '198.51.100.1',
      '203.0.113.9',
      '203.0.113.9',
    ],
    ['is the address that a trusted proxy names', '203.0.113.9', '127.0.0.1', '203.0.113.9'],
    ['has no port, even if a proxy adds one', '203.0.113.9:50123', '127.0.0.1', '203.0.113.9'],
    ['has no brackets and no port for IPv6', '[2001:DB8::9]:50123', '127.0.0.1', '2001:db8::9'],
    [
      'is the last address that does not belong to a trusted proxy',
      '1.1.1.1, 203.0.113.9, 10.0.0.7',
      '127.0.0.1',
      '203.0.113.9',
    ],
    ['ignores a trusted proxy with a port', '203.0.113.9, 10.0.0.7:443', '::ffff:127.0.0.1', '203.0.113.9'],
    ['ignores a trusted proxy in brackets', '203.0.113.9, [fd00::7]:443', '127.0.0.1', '203.0.113.9'],
    ['ignores a trusted proxy in IPv4-mapped form', '203.0.113.9', '172.16.5.5', '203.0.113.9'],
    ['is unknown at a malformed hop', '203.0.113.9, <script>', '127.0.0.1', 'unknown'],
  ])('%s', async (_rule, forwardedFor, remoteAddress, address) => {
    expect(await readAddress(forwardedFor, remoteAddress)).toBe(address);
  });
});

describe('behind a proxy', () => {
  const failuresAllowed = 3;
  const application = useApplication({
    settings: { TRUSTED_PROXIES: '127.0.0.1', LIMIT_ADDRESS_FAILURES: String(failuresAllowed) },
  });

  beforeEach(async () => {
    await application().services.database.deleteFrom('limits').execute();
    // Expires this node's cache of rejected addresses.
    application().clock.advanceSeconds(5);
  });

  async function fail(index: number, forwardedFor: string, correlationId = 'any'): Promise<number> {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const body = { returnUrl, ...secretary, userName: `nobody-${index}@demo.example` };
    const headers = { 'x-forwarded-for': forwardedFor, 'x-correlation-id': correlationId };
    return (await browser.post('/api/ui/authenticate', body, headers)).status;
  }

  const mapped = ['::ffff:cb00:7109', '[::FFFF:203.0.113.9]', '203.0.113.9', '0:0:0:0:0:ffff:203.0.113.9'];
  test.each([
    ['different ports', (index: number) => `203.0.113.9:${50_000 + index}`],
    ['IPv4 mapped into IPv6 in several spellings', (index: number) => String(mapped[index])],
    ['hosts of one /64', (index: number) => `2001:db8:1:1::${index}`],
    ['different zones', (index: number) => `fe80::1%eth${index}`],
    ['invalid addresses', (index: number) => `visitor-${index}`],
  ])('%s do not evade the limit of the address [S33]', async (_how, addressOf) => {
    const statuses: number[] = [];
    for (let index = 0; index <= failuresAllowed; index += 1)
      statuses.push(await fail(index, addressOf(index)));
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  test('the audit log contains the canonical address, and never invalid text', async () => {
    const { audit, database } = application().services;
    await fail(1, '[2001:DB8:0::7]:4711', 'with-port');
    await fail(2, 'a"b <i>', 'invented');
    await audit.flush();
    const rows = await database
      .selectFrom('audit_events')
      .select(['correlation_id', 'address'])
      .where('correlation_id', 'in', ['with-port', 'invented'])
      .orderBy('number')
      .execute();
    expect(rows).toEqual([
      { correlation_id: 'with-port', address: '2001:db8::7' },
      { correlation_id: 'invented', address: 'unknown' },
    ]);
  });
});

describe('X-Forwarded-For from an address that is not a trusted proxy', () => {
  const application = useApplication({ settings: { TRUSTED_PROXIES: '10.0.0.7' } });
  afterEach(() => vi.useRealTimers());

  const send = async (remoteAddress: string, forwardedFor?: string): Promise<void> => {
    const { app } = application();
    const headers = { host: 'localhost:4400', ...(forwardedFor && { 'x-forwarded-for': forwardedFor }) };
    await app.inject({ url: '/health/live', headers, remoteAddress });
  };
  const findWarnings = () =>
    application().log.filter(({ msg }) => String(msg).startsWith('X-Forwarded-For was ignored'));

  test('logs one warning an hour with the address and the setting, and appears in the readiness report', async () => {
    await send('10.0.0.7', '203.0.113.9');
    await send('10.0.0.8');
    expect(findWarnings()).toEqual([]);
    for (let turn = 0; turn < 20; turn += 1) await send('::ffff:10.0.0.8', `203.0.113.${turn}`);
    expect(findWarnings()).toEqual([
      expect.objectContaining({ proxy: '10.0.0.8', msg: expect.stringContaining('TRUSTED_PROXIES') }),
    ]);
    const { ready, warnings } = await application().checkReadiness();
    expect({ ready, warnings }).toEqual({
      ready: true,
      warnings: [{ check: 'proxies', reason: expect.stringMatching(/10\.0\.0\.8.*TRUSTED_PROXIES/) }],
    });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    expect((await application().checkReadiness()).warnings).toEqual([]);
    await send('10.0.0.8', '203.0.113.9');
    expect(findWarnings()).toHaveLength(2);
  });

  test('from many addresses logs ten warnings an hour', async () => {
    for (let host = 1; host <= 30; host += 1) await send(`198.51.100.${host}`, '203.0.113.9');
    expect(findWarnings().length).toBeLessThanOrEqual(12);
  });
});
