import { describe, expect, test } from 'vitest';
import { publicUrl } from '../../testing/application.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();

function report(body: unknown, type = 'application/csp-report') {
  return application().app.inject({
    method: 'POST',
    url: '/reports/content-policy',
    headers: { host: new URL(publicUrl).host, 'content-type': type },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
const metrics = (): Promise<string> => application().services.metrics.registry.metrics();
const logged = () =>
  application().log.filter(({ msg }) => msg === 'a page violated its content security policy');

describe('reports of CSP violations', () => {
  test('every response names the endpoint, for old and new browsers', async () => {
    const { headers } = await application().app.inject({
      url: '/health/live',
      headers: { host: new URL(publicUrl).host },
    });
    expect(headers['content-security-policy']).toContain('report-to content-policy');
    expect(headers['content-security-policy']).toContain('report-uri /reports/content-policy');
    expect(headers['reporting-endpoints']).toBe(`content-policy="${publicUrl}/reports/content-policy"`);
  });

  test('are counted by directive and logged without queries, fragments or samples [I17, S64]', async () => {
    const answer = await report({
      'csp-report': {
        'violated-directive': "script-src 'self'",
        'blocked-uri': 'https://evil.test/x.js?stolen=secret-1#secret-2',
        'document-uri': `${publicUrl}/ui/account/login?ReturnUrl=secret-3`,
        'source-file': `${publicUrl}/ui/assets/app/main.js?secret-4`,
        'script-sample': 'secret-5',
        'line-number': 7,
        referrer: 'https://secret-6.example/',
      },
    });
    expect(answer.statusCode).toBe(204);
    expect(logged().at(-1)).toMatchObject({
      directive: 'script-src',
      blocked: 'https://evil.test/x.js',
      document: `${publicUrl}/ui/account/login`,
      source: `${publicUrl}/ui/assets/app/main.js`,
      line: 7,
    });
    expect(JSON.stringify(application().log)).not.toContain('secret-');
    expect(await metrics()).toContain('anteroom_content_policy_reports_total{directive="script-src"} 1');
  });

  test('of the new format can contain several reports; other report types are ignored', async () => {
    const body = (effectiveDirective: string, blockedURL: string) => ({
      type: 'csp-violation',
      body: { effectiveDirective, blockedURL, documentURL: publicUrl, sourceFile: null, lineNumber: null },
    });
    const answer = await report(
      [
        body('require-trusted-types-for', 'trusted-types-sink'),
        body('img-src', 'chrome-extension://abcdef/secret.png'),
        body('<img src=x>', 'data:text/html,secret'),
        { type: 'deprecation', body: {} },
      ],
      'application/reports+json',
    );
    expect(answer.statusCode).toBe(204);
    expect(
      logged()
        .slice(-3)
        .map(({ directive, blocked }) => [directive, blocked]),
    ).toEqual([
      ['require-trusted-types-for', 'trusted-types-sink'],
      ['img-src', 'chrome-extension:'],
      ['other', 'data:'],
    ]);
  });

  test.each([
    [400, 'no report', '{}', 'application/csp-report'],
    [400, 'no JSON', '{', 'application/csp-report'],
    [400, 'a polluting key', '{"__proto__":{"x":1}}', 'application/csp-report'],
    [
      400,
      'a thousand reports',
      JSON.stringify(Array.from({ length: 1000 }, () => 1)),
      'application/reports+json',
    ],
    [413, 'a long one', `{"csp-report":{"blocked-uri":"${'x'.repeat(20_000)}"}}`, 'application/csp-report'],
    [415, 'another type', '{}', 'application/json'],
    [415, 'a form', 'a=b', 'text/plain'],
  ])('returns %i for %s [S60]', async (status, _what, body, type) => {
    expect((await report(body, type)).statusCode).toBe(status);
  });

  test('more than 60 per minute are rejected unread and counted [I17, S67]', async () => {
    const one = { 'csp-report': { 'effective-directive': 'font-src' } };
    application().clock.advanceSeconds(60);
    for (let count = 0; count < 60; count += 1) expect((await report(one)).statusCode).toBe(204);
    const refused = await report(one);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(await metrics()).toContain('anteroom_content_policy_reports_total{directive="not-read"} 1');
    application().clock.advanceSeconds(60);
    expect((await report(one)).statusCode).toBe(204);
  });
});
