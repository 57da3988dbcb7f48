import { strict as assert } from 'node:assert';
import { calls } from '@anteroom/contract';
import type { CallName } from '@anteroom/contract';
import type { Rule } from '../rule.ts';
import { arrive, signIn } from '../visits.ts';
import { createVisitor } from '../visitor.ts';

const section = 'Headers, on every call';

/** A valid body for each state-changing call. */
export const bodies: Readonly<Record<string, Record<string, unknown>>> = {
  postSiteSettings: { site: 'any' },
  postUserSettings: { usernameOrEmail: 'any' },
  authenticate: { password: 'any', userName: 'any' },
  verifyMfaCode: { code: '000000' },
  resendMfaCode: {},
  signOut: {},
  passwordReset: { currentPassword: 'a', newPassword: 'b', newPasswordConfirmation: 'b' },
  passwordPolicy: {},
  selectSite: { site: 'any' },
  postMetrics: { metricData: [] },
};
export const posts = Object.keys(calls).filter(
  (name): name is CallName => calls[name as CallName].method === 'POST',
);

export const requestRules: readonly Rule[] = [
  {
    id: 'request.anti-forgery',
    rule: 'Every call except GET is rejected without the value of the cookie XSRF-TOKEN in X-XSRF-TOKEN, and has no effect.',
    section,
    async run(scenario) {
      const { visitor } = await signIn(scenario);
      for (const token of [undefined, '', 'another', `${visitor.cookies.get('XSRF-TOKEN') ?? ''}x`])
        for (const name of posts)
          await visitor.refused(name, 'csrf_failed', {
            body: bodies[name],
            headers: { 'x-xsrf-token': token },
          });
      await visitor.succeed('getSites');
      await visitor.succeed('postMetrics', { body: bodies['postMetrics'] });
    },
  },
  {
    id: 'request.origin',
    rule: 'Every call except GET is rejected if Origin or Sec-Fetch-Site names another site, even with the right token.',
    section,
    async run(scenario) {
      const { visitor } = await signIn(scenario);
      const { host } = new URL(scenario.origin);
      const foreign: Record<string, string>[] = [
        { origin: 'https://attacker.example' },
        { origin: 'null' },
        { origin: `${scenario.origin}.attacker.example` },
        { origin: `http://sibling.${host}` },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ];
      for (const headers of foreign)
        for (const name of posts) await visitor.refused(name, 'csrf_failed', { body: bodies[name], headers });
      await visitor.succeed('getSites');
    },
  },
  {
    id: 'request.token-of-another',
    rule: 'The anti-forgery token of another browser is rejected, even if it is also in the cookie.',
    section,
    async run(scenario) {
      const [one, another] = [await arrive(scenario), await arrive(scenario)];
      const token = another.visitor.cookies.get('XSRF-TOKEN') ?? '';
      const cookie = [...one.visitor.cookies]
        .map(([name, value]) => `${name}=${name === 'XSRF-TOKEN' ? token : value}`)
        .join('; ');
      await one.visitor.refused('postMetrics', 'csrf_failed', {
        body: bodies['postMetrics'],
        headers: { cookie, 'x-xsrf-token': token },
      });
    },
  },
  {
    id: 'request.cross-origin',
    rule: 'A page of an origin that the service does not list cannot read an answer or send a call, with or without cookies.',
    section,
    async run(scenario) {
      const { visitor } = await signIn(scenario);
      const origin = 'https://attacker.example';
      for (const [method, path] of [
        ['GET', '/api/ui/sites'],
        ['OPTIONS', '/api/ui/sites'],
        ['OPTIONS', '/api/ui/authenticate'],
      ] as const) {
        const { headers } = await visitor.ask(method, path, {
          origin,
          accept: 'application/json',
          ...(method === 'OPTIONS' && {
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'content-type,x-xsrf-token',
          }),
        });
        const allowed = headers['access-control-allow-origin'];
        assert.ok(allowed !== origin && allowed !== '*', `${method} ${path} allows ${String(allowed)}`);
      }
    },
  },
  {
    id: 'request.content-type',
    rule: 'A body that a form of another site could send is rejected: only application/json is accepted.',
    section,
    async run(scenario) {
      const { visitor } = await arrive(scenario);
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        undefined,
      ])
        await visitor.refused('postMetrics', 'unsupported_media_type', {
          body: bodies['postMetrics'],
          headers: { 'content-type': type },
        });
    },
  },
  {
    id: 'request.unknown-member',
    rule: 'A body with an unknown member is rejected.',
    section: 'Errors',
    async run(scenario) {
      const { visitor } = await arrive(scenario);
      for (const name of posts)
        await visitor.refused(name, 'validation_failed', { body: { ...bodies[name], isAdmin: true } });
    },
  },
  {
    id: 'request.limits',
    rule: 'A site has at most 50 characters, a user name at most 100, and a code exactly six digits; a body is a JSON object.',
    section: 'Errors',
    async run(scenario) {
      const { visitor, returnUrl } = await arrive(scenario);
      const wrong: [CallName, unknown][] = [
        ['postSiteSettings', { site: 'x'.repeat(51) }],
        ['postUserSettings', { usernameOrEmail: 'x'.repeat(101) }],
        ['authenticate', { returnUrl, password: 'any', userName: 'x'.repeat(101) }],
        ['authenticate', { returnUrl, userName: 'any' }],
        ['authenticate', { returnUrl, password: { $ne: '' }, userName: 'any' }],
        ['verifyMfaCode', { returnUrl, code: '12345' }],
        ['verifyMfaCode', { returnUrl, code: '1234567' }],
        ['verifyMfaCode', { returnUrl, code: '12345x' }],
        ['selectSite', { returnUrl, site: '' }],
        ['postMetrics', { metricData: 'all' }],
        ['postMetrics', '[]'],
        ['postMetrics', '{"metricData":'],
      ];
      for (const [name, body] of wrong) await visitor.refused(name, 'validation_failed', { body });
      await visitor.refused('getSiteExistence', 'validation_failed', { params: { name: 'x'.repeat(51) } });
    },
  },
  {
    id: 'request.query-case',
    rule: 'The names of query parameters are case-insensitive.',
    section: 'Where things live',
    async run(scenario) {
      const { visitor, returnUrl, context } = await arrive(scenario);
      for (const name of ['ReturnUrl', 'RETURNURL', 'returnurl']) {
        const again = await visitor.succeed('getAuthContext', { query: { [name]: returnUrl } });
        assert.deepEqual(again, context);
      }
      await visitor.refused('getAuthContext', 'validation_failed', { query: { returnUrl, ReturnUrl: 'x' } });
    },
  },
  {
    id: 'request.not-found',
    rule: 'An unknown address is 404 not_found, and a wrong method 405 method_not_allowed, both with an error body.',
    section: 'Errors',
    async run(scenario) {
      const visitor = createVisitor(scenario);
      for (const [method, path, status, code] of [
        ['GET', '/api/ui/no-such-call', 404, 'not_found'],
        ['GET', '/api/ui/authenticate', 405, 'method_not_allowed'],
        ['POST', '/api/ui/auth-context', 405, 'method_not_allowed'],
      ] as const) {
        const answer = await visitor.ask(method, path, { accept: 'application/json' });
        assert.equal(answer.status, status, `${method} ${path}`);
        assert.equal(answer.json()['code'], code, `${method} ${path}`);
      }
    },
  },
  {
    id: 'request.twins',
    rule: '/, /account/* and /home/* redirect below /ui/ and keep the query.',
    section: 'Where things live',
    async run(scenario) {
      const visitor = createVisitor(scenario);
      for (const path of ['/', '/account/login', '/account/logout', '/home/error']) {
        const query = '?ReturnUrl=%2Fx%3Fa%3Db%26c&skip_splash=true';
        const { status, headers } = await visitor.ask('GET', `${path}${query}`, { accept: 'text/html' });
        assert.equal(status, 302, path);
        assert.equal(headers.location, `/ui${path}${query}`);
      }
    },
  },
  {
    id: 'request.config',
    rule: 'config.json is public and accepts a timestamp in its query.',
    section: 'Where things live',
    async run(scenario) {
      await createVisitor(scenario).succeed('getConfig', { query: { t: '1' } });
    },
  },
  {
    id: 'request.cookies',
    rule: 'Cookies are SameSite (never None), for the whole host only, and only XSRF-TOKEN is readable by scripts.',
    section,
    async run(scenario) {
      const { visitor } = await signIn(scenario, 'code');
      assert.ok(visitor.cookies.size >= 2);
      for (const line of visitor.cookieLines) {
        const name = line.slice(0, line.indexOf('='));
        assert.match(line, /; *SameSite=(Lax|Strict)/i, line);
        assert.doesNotMatch(line, /; *Domain=/i, line);
        assert.equal(/; *HttpOnly/i.test(line), name !== 'XSRF-TOKEN', line);
      }
    },
  },
];
