import { expect, test } from 'vitest';
import { buildDemo } from '../app.ts';
import { readConfig } from '../config.ts';

const discovery = '/company/.well-known/openid-configuration';

test('the company has its own provider, which requires PKCE and identifies itself in its answers', async () => {
  const portal = buildDemo(readConfig({}));
  const answer = await portal.inject({ url: discovery, headers: { host: 'localhost:4401' } });
  expect(answer.json()).toMatchObject({
    issuer: 'http://localhost:4401/company',
    authorization_endpoint: 'http://localhost:4401/company/auth',
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
  expect((await portal.inject('/company/sign-in/nobody')).statusCode).toBe(400);
  await portal.close();
});

test('there is no company in production', async () => {
  const portal = buildDemo(readConfig({ NODE_ENV: 'production' }));
  for (const path of [discovery, '/company/auth', '/company/company.css', '/company/sign-in/x'])
    expect((await portal.inject(path)).statusCode).toBe(404);
  await portal.close();
});

test('the company’s pages cannot be framed, run no script, and submit forms only to addresses of the sign-in', async () => {
  const portal = buildDemo(readConfig({}));
  for (const path of ['/company/sign-in/x', '/company/auth?client_id=nobody', discovery]) {
    const policy = String((await portal.inject(path)).headers['content-security-policy']);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('script-src');
    expect(policy).toContain("form-action 'self' http://localhost:4400;");
  }
  await portal.close();
});
