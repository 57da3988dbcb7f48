import { strict as assert } from 'node:assert';
import { isAddress } from '../every-answer.ts';
import type { Rule } from '../rule.ts';
import { arrive, givePassword, signIn } from '../visits.ts';
import { createVisitor } from '../visitor.ts';

/** NIST SP 800-63B-4, 3.2.2: at most 100 consecutive failures. */
const maximumPasswordGuesses = 100;

export const signInRules: readonly Rule[] = [
  {
    id: 'context.new-sign-in',
    rule: 'The context of a browser without a session says so, names the client, and allows the entry of a user name and a password.',
    section: 'Answers (AuthContext)',
    async run(scenario) {
      const { context, returnUrl } = await arrive(scenario);
      assert.deepEqual(context['session'], { state: 'none', isExternallyAuthenticated: false });
      assert.equal(context['clientId'], scenario.clientId);
      assert.equal(context['allowUserNameEntry'], true);
      assert.equal(context['userName'], undefined);
      assert.equal(context['selectSite'], false);
      assert.equal(typeof context['returnUrl'], 'string', returnUrl);
    },
  },
  {
    id: 'context.extensions',
    rule: 'Extensions are listed by name, and a page that names an unknown one gets the same answer as a page that names none.',
    section: 'Optional members (2026-11-22)',
    async run(scenario) {
      const { visitor, context, returnUrl } = await arrive(scenario);
      const { extensions = [] } = context;
      assert.ok(Array.isArray(extensions));
      for (const name of extensions) assert.match(String(name), /^[a-z][a-z-]*$/);
      const headers = { 'x-anteroom-extensions': 'of-another-service' };
      const [plain, named] = [
        await visitor.succeed('getAuthContext', { query: { returnUrl } }),
        await visitor.succeed('getAuthContext', { query: { returnUrl }, headers }),
      ];
      assert.deepEqual(named, plain);
    },
  },
  {
    id: 'context.unknown-sign-in',
    rule: 'A sign-in of another browser, an unknown sign-in and a foreign address are rejected with the same answer.',
    section: 'Answers (AuthContext)',
    async run(scenario) {
      const { returnUrl } = await arrive(scenario);
      const { visitor } = await arrive(scenario);
      const invented = returnUrl.replace(/[\w-]{20,}/, (id) => id.slice(1) + id.slice(0, 1));
      const answers = [];
      const queries: Record<string, string>[] = [
        { returnUrl },
        { returnUrl: invented },
        { returnUrl: 'https://attacker.example/' },
        {},
      ];
      for (const query of queries)
        answers.push((await visitor.refused('getAuthContext', 'not_found', { query })).text);
      assert.equal(new Set(answers).size, 1, answers.join(' '));
    },
  },
  {
    id: 'context.refreshed',
    rule: 'refresh-context is the current context of the sign-in that this browser advanced last.',
    section: 'Answers (AuthContext)',
    async run(scenario) {
      const visit = await givePassword(scenario, 'code');
      const context = await visit.visitor.succeed('getAuthContext', {
        query: { returnUrl: visit.returnUrl },
      });
      assert.deepEqual(await visit.visitor.succeed('getRefreshContext'), context);
    },
  },
  {
    id: 'context.other-browser',
    rule: 'A browser without a sign-in has no context to refresh, no sign-in to follow, and no session.',
    section: 'Answers (AuthContext, Retry)',
    async run(scenario) {
      const { returnUrl } = await signIn(scenario);
      const other = createVisitor(scenario);
      await other.refused('getAuthContext', 'not_found', { query: { returnUrl } });
      await other.refused('getRefreshContext', 'not_found');
      await other.refused('getSites', 'unauthorized', { query: { returnUrl } });
      assert.deepEqual(await other.succeed('getRetry'), { retry: false });
    },
  },
  {
    id: 'context.prompts',
    rule: 'A prompt of the application is in the context, with the signed-in user; with switch_tenant, neither site nor user is known.',
    section: 'Answers (AuthContext), Decisions (switch_tenant)',
    async run(scenario) {
      const { visitor, account } = await signIn(scenario);
      const site = account.sites[0];
      for (const prompt of ['elevate', 'switch_site', 'change_password'] as const) {
        const { context } = await arrive(scenario, { prompt, visitor });
        assert.equal(context['promptMethod'], prompt);
        assert.equal(context['userName'], account.userName);
        assert.equal(context['allowUserNameEntry'], false);
        assert.equal(context['selectSite'], prompt === 'switch_site');
        assert.deepEqual(context['session'], {
          state: 'valid',
          authSite: site,
          isExternallyAuthenticated: false,
        });
      }
      const { context } = await arrive(scenario, { prompt: 'switch_tenant', visitor });
      assert.equal(context['promptMethod'], 'switch_tenant');
      assert.equal(context['userName'], undefined);
    },
  },
  {
    id: 'external.redirect',
    rule: "A navigation to the external redirect leads to the site's provider with 302; a caller that accepts text gets the address.",
    section: 'Answers (External redirect)',
    needs: ['federated site'],
    async run(scenario) {
      const { visitor, returnUrl } = await arrive(scenario);
      const query = { site: scenario.sites.federated ?? '', returnUrl, forceAuthentication: 'true' };
      const followed = await visitor.call('getExternalRedirect', { query, headers: { accept: 'text/html' } });
      assert.equal(followed.status, 302);
      const read = await visitor.call('getExternalRedirect', { query, headers: { accept: 'text/plain' } });
      assert.equal(read.status, 200);
      assert.equal(new URL(followed.headers.location ?? '').origin, new URL(read.text).origin);
      assert.notEqual(new URL(read.text).origin, scenario.origin);
    },
  },
  {
    id: 'external.none',
    rule: 'There is no external redirect for a site without a provider, an unknown site, and an unknown sign-in.',
    section: 'Answers (External redirect)',
    async run(scenario) {
      const { visitor, returnUrl } = await arrive(scenario);
      const headers = { accept: 'text/plain' };
      const { open, unknown, federated } = scenario.sites;
      const queries: Record<string, string>[] = [
        { site: open, returnUrl },
        { site: unknown, returnUrl },
        ...(federated === undefined ? [] : [{ site: federated }]),
      ];
      for (const query of queries)
        await visitor.refused('getExternalRedirect', 'not_found', { query, headers });
      await visitor.refused('getSamlSso', 'not_found', { query: { site: unknown, returnUrl }, headers });
    },
  },
  {
    id: 'external.saml',
    rule: 'A site with SAML has XML metadata and a redirect to its identity provider; another site and an unknown one are rejected with the same answer.',
    section: 'Answers (External redirect), specification point 7',
    needs: ['SAML site'],
    async run(scenario) {
      const { visitor, returnUrl } = await arrive(scenario);
      const { saml = '', open, unknown } = scenario.sites;
      const metadata = await visitor.call('getSamlMetadata', { params: { sitename: saml } });
      assert.match(metadata.text, /EntityDescriptor/);
      const query = { site: saml, returnUrl };
      assert.equal((await visitor.call('getSamlSso', { query })).status, 302);
      const [one, other] = [
        await visitor.refused('getSamlMetadata', 'not_found', { params: { sitename: open } }),
        await visitor.refused('getSamlMetadata', 'not_found', { params: { sitename: unknown } }),
      ];
      assert.equal(one.text, other.text);
    },
  },
  {
    id: 'authenticate.refused-alike',
    rule: 'A wrong password, an unknown user name, and a site to which the user does not belong are rejected with the same answer.',
    section: 'Errors',
    async run(scenario) {
      const { userName, password, sites } = await scenario.createAccount('password');
      const { visitor, returnUrl } = await arrive(scenario);
      visitor.hides(password);
      const site = sites[0];
      const answers = [];
      for (const body of [
        { site, userName, password: 'not this one' },
        { site, userName: `nobody-${userName}`, password },
        { site: scenario.sites.unknown, userName, password },
        { site: scenario.sites.foreign, userName, password },
      ]) {
        const answer = await visitor.refused('authenticate', 'invalid_credentials', {
          body: { returnUrl, ...body },
        });
        answers.push(`${answer.status} ${answer.text}`);
      }
      assert.equal(new Set(answers).size, 1, answers.join(' '));
      await visitor.refused('getSites', 'unauthorized', { query: { returnUrl } });
      await visitor.refused('authenticate', 'validation_failed', { body: { returnUrl, password } });
    },
  },
  {
    id: 'authenticate.limited',
    rule: 'Password guesses are limited: before the hundredth wrong one, the answer is rate_limit_reached, even for the right password.',
    section: 'Errors',
    async run(scenario) {
      const { userName, password, sites } = await scenario.createAccount('password');
      const { visitor, returnUrl } = await arrive(scenario);
      const body = { returnUrl, site: sites[0], userName };
      let last: unknown;
      for (let guess = 0; guess < maximumPasswordGuesses && last !== 'rate_limit_reached'; guess += 1) {
        const answer = await visitor.refused('authenticate', ['invalid_credentials', 'rate_limit_reached'], {
          body: { ...body, password: `guess ${guess}` },
        });
        last = answer.json()['code'];
      }
      assert.equal(last, 'rate_limit_reached', `${maximumPasswordGuesses} wrong passwords were checked`);
      await visitor.refused('authenticate', 'rate_limit_reached', { body: { ...body, password } });
    },
  },
  {
    id: 'authenticate.redirect',
    rule: 'A finished sign-in is answered with "redirect" and an address of the service, and the user is signed in.',
    section: 'Answers (AuthResponse)',
    async run(scenario) {
      const { visitor, location, returnUrl } = await signIn(scenario);
      assert.ok(isAddress(location), location);
      assert.equal(new URL(location, scenario.origin).origin, scenario.origin);
      await visitor.succeed('getSites', { query: { returnUrl } });
    },
  },
  {
    id: 'authenticate.unknown-sign-in',
    rule: 'Every step of an unknown sign-in is rejected, and no user is signed in.',
    section: 'Answers (AuthResponse)',
    async run(scenario) {
      const { userName, password, sites } = await scenario.createAccount('password');
      const { visitor } = await arrive(scenario);
      const returnUrl = 'https://attacker.example/';
      await visitor.refused('authenticate', 'not_found', {
        body: { returnUrl, site: sites[0], userName, password },
      });
      await visitor.refused('verifyMfaCode', 'not_found', { body: { returnUrl, code: '000000' } });
      await visitor.refused('resendMfaCode', 'not_found', { body: { returnUrl } });
      await visitor.refused('getSites', 'unauthorized');
    },
  },
  {
    id: 'error.record',
    rule: 'An error record can be read by its id, with its code, a correlation id and a time in UTC; an unknown id has none.',
    section: 'Answers (Error record)',
    async run(scenario) {
      const visitor = createVisitor(scenario);
      const errorId = await scenario.causeError(visitor);
      const record = await visitor.succeed('getErrorMessage', { query: { errorId } });
      assert.equal(typeof record['error'], 'string');
      assert.equal(typeof record['correlationId'], 'string');
      assert.match(String(record['timestamp']), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      await visitor.refused('getErrorMessage', 'not_found', { query: { errorId: 'invented' } });
      await visitor.refused('getErrorMessage', 'validation_failed', { query: { errorId: '' } });
    },
  },
];
