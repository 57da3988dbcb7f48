import { describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();
const host = new URL(publicUrl).host;

describe('request bodies [S59, S60]', () => {
  /** Posts to `authenticate` like our page, but with this body. */
  async function post(payload: string | Buffer, headers: Record<string, string> = {}) {
    const browser = application().openBrowser();
    await beginSignIn(browser, portal);
    const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
    return application().app.inject({
      method: 'POST',
      url: '/api/ui/authenticate',
      headers: {
        host,
        origin: publicUrl,
        'content-type': 'application/json',
        cookie,
        'x-xsrf-token': browser.cookies.get('XSRF-TOKEN')?.value ?? '',
        ...headers,
      },
      payload,
    });
  }

  const fields = { userName: 'somebody', password: 'x', site: 'harbor' };

  test.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['a number', '1'],
    ['a text', '"x"'],
    ['a truncated document', '{"password":"x"'],
    ['a missing member', '{}'],
    ['an unknown member', JSON.stringify({ ...fields, isAdmin: true })],
    ['__proto__', `{"__proto__":{"isAdmin":true},"password":"x"}`],
    ['escaped __proto__', `{"\\u005f_proto__":{"isAdmin":true},"password":"x"}`],
    ['constructor.prototype', `{"constructor":{"prototype":{"isAdmin":true}},"password":"x"}`],
    ['toString', `{"toString":"x","password":"x"}`],
    ['an operator instead of a string', '{"password":{"$ne":1}}'],
    ['an array instead of a string', '{"password":["x"]}'],
    ['a number instead of a string', '{"password":1}'],
    ['1e5 levels', `${'{"password":'.repeat(5000)}1${'}'.repeat(5000)}`],
    ['an array of 30,000 levels', `{"password":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['a NUL', JSON.stringify({ ...fields, userName: 'a\0b' })],
    ['an unpaired surrogate', `{"userName":"\\ud800","password":"x"}`],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{"password":"x"}', 'utf16le')],
    ['a user name that is too long', JSON.stringify({ ...fields, userName: 'x'.repeat(101) })],
    ['a site name that is too long', JSON.stringify({ ...fields, site: 'x'.repeat(51) })],
  ])('%s is rejected with validation_failed', async (_what, payload) => {
    const answer = await post(payload);
    expect({ status: answer.statusCode, body: answer.json<unknown>() }).toEqual({
      status: 400,
      body: { code: 'validation_failed' },
    });
    expect('isAdmin' in {}).toBe(false);
  });

  test('more than 64 kB returns 413', async () => {
    const answer = await post(JSON.stringify({ password: 'x'.repeat(64 * 1024) }));
    expect({ status: answer.statusCode, body: answer.json<unknown>() }).toEqual({
      status: 413,
      body: { code: 'payload_too_large' },
    });
  });

  test('a compressed body returns 415, so there is no decompression bomb', async () => {
    const answer = await post('{}', { 'content-encoding': 'gzip' });
    expect(answer.statusCode).toBe(415);
  });

  test('a UTF-8 byte order mark is accepted', async () => {
    const answer = await post(`\uFEFF${JSON.stringify({ password: 'x' })}`);
    expect(answer.statusCode).not.toBe(400);
  });

  test('the log names the invalid member, never its value', async () => {
    await post(JSON.stringify({ ...fields, password: ['marked-secret'] }));
    const lines = JSON.stringify(application().log);
    expect(lines).toContain('body.password string');
    expect(lines).not.toContain('marked-secret');
  });
});

describe('queries', () => {
  const get = (url: string) => application().app.inject({ url, headers: { host } });

  test.each([
    '/api/ui/auth-context?returnUrl=/a&returnUrl=/b',
    '/api/ui/auth-context?returnUrl=/a&ReturnUrl=/b',
    '/api/ui/auth-context?unknown=1',
    '/api/ui/auth-context?__proto__=1',
    '/api/ui/auth-context?constructor=1',
    '/api/ui/auth-context?returnUrl=%00',
    `/api/ui/auth-context?site=${'x'.repeat(51)}`,
    '/api/ui/sites/%00',
    `/api/ui/sites/${'x'.repeat(51)}`,
    '/api/ui/error-message',
  ])('%s is rejected with validation_failed', async (url) => {
    const answer = await get(url);
    expect({ status: answer.statusCode, body: answer.json<unknown>() }).toEqual({
      status: 400,
      body: { code: 'validation_failed' },
    });
  });

  test('parameter names are case-insensitive', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    expect((await browser.call('/api/ui/auth-context', { ReturnUrl: returnUrl })).status).toBe(200);
    expect(
      (await browser.call('/api/ui/auth-context', { RETURNURL: returnUrl, SITE: 'harbor' })).status,
    ).toBe(200);
  });
});

describe('the correlation id [S63]', () => {
  const answered = async (headers: Record<string, string>) =>
    (await application().app.inject({ url: '/health/live', headers: { host, ...headers } })).headers[
      'x-correlation-id'
    ];

  test('is taken from the request if it has 1 to 64 safe characters [I30]', async () => {
    for (const id of ['a', 'Aa0._-', `${'x'.repeat(60)}.123`]) {
      expect(await answered({ 'x-correlation-id': id })).toBe(id);
      expect(await answered({ correlationid: id })).toBe(id);
    }
  });

  test.each([
    '',
    'a b',
    'a,b',
    'x'.repeat(65),
    'x'.repeat(10_000),
    'é',
    '<img>',
    '${jndi:ldap://x}',
    '%0d%0ax',
  ])('"%s" is replaced by a new one', async (id) => {
    const fresh = await answered({ 'x-correlation-id': id });
    expect(fresh).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is in every log line of the request', async () => {
    await application().app.inject({ url: '/nowhere', headers: { host, 'x-correlation-id': 'mine.7' } });
    const mine = application().log.filter((line) => line['correlationId'] === 'mine.7');
    expect(mine.map((line) => line['msg'])).toEqual(['refused', 'answered']);
  });
});

test('the log has route patterns, and no queries, cookies or bodies', async () => {
  const browser = application().openBrowser();
  const { returnUrl } = await beginSignIn(browser, portal);
  await browser.call('/api/ui/auth-context', { returnUrl });
  await browser.post('/api/ui/authenticate', {
    returnUrl,
    site: 'harbor',
    userName: 'marked-name',
    password: 'marked-password',
  });
  await browser.call('/api/ui/error-message', { errorId: 'marked-error-id' });
  const lines = application()
    .log.map((line) => JSON.stringify(line))
    .join('\n');
  for (const { value } of browser.cookies.values()) expect(lines).not.toContain(value);
  expect(lines).not.toMatch(/marked-|ReturnUrl|code_challenge=/);
  expect(lines).toContain('"route":"/api/ui/authenticate"');
});
