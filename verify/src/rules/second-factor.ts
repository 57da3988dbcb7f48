import { strict as assert } from 'node:assert';
import { resendWaitSeconds } from '@anteroom/contract';
import type { Rule } from '../rule.ts';
import { arrive, givePassword, signIn, wrongCode } from '../visits.ts';

const section = 'Answers (AuthResponse)';

/** With more attempts per code, guessing a six-digit code becomes feasible. */
const maximumGuesses = 20;

export const secondFactorRules: readonly Rule[] = [
  {
    id: 'code.required',
    rule: 'A user with a second factor must enter a code, sees the end of the number and how long the code is valid, and is not signed in before.',
    section,
    async run(scenario) {
      const { visitor, answer, account, returnUrl } = await givePassword(scenario, 'code');
      assert.equal(answer['status'], 'second_factor_required');
      const suffix = String(answer['mfaPhoneNumberSuffix']);
      assert.match(suffix, /^\d{2,4}$/);
      assert.ok(account.phoneNumber?.endsWith(suffix));
      assert.ok(Number(answer['mfaCodeValidityInMinutes']) > 0);
      await visitor.refused('getSites', 'unauthorized', { query: { returnUrl } });
      await visitor.refused('getSiteTodo', 'unauthorized', { params: { site: account.sites[0] ?? '' } });
      await visitor.refused('selectSite', 'unauthorized', { body: { returnUrl, site: account.sites[0] } });
      const context = await visitor.succeed('getAuthContext', { query: { returnUrl } });
      assert.equal((context['session'] as Record<string, unknown>)['state'], 'none');
      // A reloaded page shows the same suffix.
      assert.equal(context['mfaPhoneNumberSuffix'], suffix);
    },
  },
  {
    id: 'code.before-password',
    rule: 'Before the password, no code is verified or sent.',
    section,
    async run(scenario) {
      const { visitor, returnUrl } = await givePassword(scenario, 'password-change');
      await visitor.refused('verifyMfaCode', 'unauthorized', { body: { returnUrl, code: '000000' } });
      await visitor.refused('resendMfaCode', 'unauthorized', { body: { returnUrl } });
    },
  },
  {
    id: 'code.right',
    rule: 'A wrong code is invalid_credentials; the right one completes the sign-in, with an address or a selection of sites.',
    section,
    async run(scenario) {
      const { visitor, account, returnUrl } = await givePassword(scenario, 'code');
      const code = await scenario.readCode(account);
      await visitor.refused('verifyMfaCode', 'invalid_credentials', {
        body: { returnUrl, code: wrongCode(code) },
      });
      const { status } = await visitor.succeed('verifyMfaCode', { body: { returnUrl, code } });
      assert.ok(status === 'redirect' || status === 'select_site_required', String(status));
      await visitor.succeed('getSites', { query: { returnUrl } });
    },
  },
  {
    id: 'code.once',
    rule: 'A code is accepted once.',
    section,
    async run(scenario) {
      const { visitor, account, returnUrl } = await givePassword(scenario, 'code');
      const code = await scenario.readCode(account);
      await visitor.succeed('verifyMfaCode', { body: { returnUrl, code } });
      const codes = ['unauthorized', 'invalid_credentials', 'mfa_token_expired', 'not_found'];
      await visitor.refused('verifyMfaCode', codes, { body: { returnUrl, code } });
    },
  },
  {
    id: 'code.max-attempts',
    rule: 'After several wrong codes, the answer is mfa_max_attempts_exceeded, even for the right code.',
    section: 'Errors',
    async run(scenario) {
      const { visitor, account, returnUrl } = await givePassword(scenario, 'code');
      const code = await scenario.readCode(account);
      const seen: unknown[] = [];
      while (seen.length < maximumGuesses && seen.at(-1) !== 'mfa_max_attempts_exceeded') {
        const { refused } = visitor;
        const codes = ['invalid_credentials', 'mfa_max_attempts_exceeded'];
        const answer = await refused('verifyMfaCode', codes, { body: { returnUrl, code: wrongCode(code) } });
        seen.push(answer.json()['code']);
      }
      assert.equal(seen.at(-1), 'mfa_max_attempts_exceeded');
      await visitor.refused('verifyMfaCode', ['mfa_max_attempts_exceeded', 'rate_limit_reached'], {
        body: { returnUrl, code },
      });
    },
  },
  {
    id: 'code.expired',
    rule: 'An expired code is mfa_token_expired.',
    section: 'Errors',
    async run(scenario) {
      const { visitor, account, answer, returnUrl } = await givePassword(scenario, 'code');
      const code = await scenario.readCode(account);
      await scenario.advanceSeconds(Number(answer['mfaCodeValidityInMinutes']) * 60 + 1);
      await visitor.refused('verifyMfaCode', 'mfa_token_expired', { body: { returnUrl, code } });
    },
  },
  {
    id: 'code.resend',
    rule: 'A resend during the wait is rate_limit_reached with the wait; after it, the answer is 204 with the next wait, and the new code is valid.',
    section: 'Answers (Resend)',
    async run(scenario) {
      const { visitor, account, answer, returnUrl } = await givePassword(scenario, 'code');
      // Both members are optional. If absent, the code was sent, and the next one can be requested at once.
      assert.notEqual(answer['codeSent'], false);
      const early = await visitor.refused('resendMfaCode', 'rate_limit_reached', { body: { returnUrl } });
      const announced = answer['nextCodeInSeconds'];
      assert.ok(announced === undefined || announced === Number(early.headers['retry-after']));
      await scenario.advanceSeconds(Number(early.headers['retry-after']));
      const sent = await visitor.call('resendMfaCode', { body: { returnUrl } });
      assert.equal(sent.status, 204);
      const wait = sent.headers['retry-after'] ?? String(resendWaitSeconds);
      assert.match(wait, /^[1-9]\d*$/);
      const code = await scenario.readCode(account);
      await visitor.succeed('verifyMfaCode', { body: { returnUrl, code } });
    },
  },
  {
    id: 'sites.list',
    rule: 'The site list contains the names and sites of the user, each site once, and no other sites.',
    section: 'Answers (Sites)',
    async run(scenario) {
      const { visitor, account, returnUrl } = await signIn(scenario, 'code');
      const list = await visitor.succeed('getSites', { query: { returnUrl } });
      const sites = (list['sites'] as { name: string; sites?: { name: string }[] }[]).flatMap(
        (site) => site.sites ?? [site],
      );
      assert.deepEqual(sites.map(({ name }) => name).toSorted(), [...account.sites].toSorted());
      for (const name of ['userFirstName', 'userLastName', 'boardsUserName'])
        assert.equal(typeof list[name], 'string', name);
    },
  },
  {
    id: 'sites.to-dos',
    rule: 'To-dos are available for sites of the user; another site and an unknown one are rejected with the same answer.',
    section: 'Answers (To-dos)',
    async run(scenario) {
      const { visitor, account } = await signIn(scenario);
      await visitor.succeed('getSiteTodo', { params: { site: account.sites[0] ?? '' } });
      const [anothers, unknown] = [
        await visitor.refused('getSiteTodo', 'not_found', { params: { site: scenario.sites.foreign } }),
        await visitor.refused('getSiteTodo', 'not_found', { params: { site: scenario.sites.unknown } }),
      ];
      assert.equal(anothers.text, unknown.text);
    },
  },
  {
    id: 'sites.to-choose',
    rule: 'A user with several sites who named none must select one, and enters it with a redirect.',
    section: 'Decisions (select_site_required)',
    async run(scenario) {
      const account = await scenario.createAccount('code');
      const { visitor, returnUrl } = await arrive(scenario);
      const { userName, password, sites } = account;
      visitor.hides(password, account.phoneNumber);
      await visitor.succeed('authenticate', { body: { returnUrl, userName, password } });
      const code = await scenario.readCode(account);
      const { status } = await visitor.succeed('verifyMfaCode', { body: { returnUrl, code } });
      assert.equal(status, 'select_site_required');
      const context = await visitor.succeed('getRefreshContext');
      assert.equal(context['selectSite'], true);
      const entered = await visitor.succeed('selectSite', { body: { returnUrl, site: sites[1] } });
      assert.equal(entered['status'], 'redirect');
    },
  },
  {
    id: 'sites.select',
    rule: 'A user enters an own site with a redirect; another site and an unknown one are rejected with the same answer.',
    section: 'Answers (AuthResponse)',
    async run(scenario) {
      const { visitor, account } = await signIn(scenario, 'code');
      const returnUrl = await scenario.beginSignIn(visitor, { prompt: 'switch_site' });
      const answers = [];
      for (const site of [scenario.sites.foreign, scenario.sites.unknown])
        answers.push((await visitor.refused('selectSite', 'not_found', { body: { returnUrl, site } })).text);
      assert.equal(new Set(answers).size, 1);
      const site = account.sites[1];
      const entered = await visitor.succeed('selectSite', { body: { returnUrl, site } });
      assert.equal(entered['status'], 'redirect');
      await visitor.follow(String(entered['location']));
      const { context } = await arrive(scenario, { prompt: 'elevate', visitor });
      assert.equal((context['session'] as Record<string, unknown>)['authSite'], site);
    },
  },
];
