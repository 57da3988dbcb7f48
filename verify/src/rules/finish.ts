import { strict as assert } from 'node:assert';
import { isAddress } from '../every-answer.ts';
import type { Rule } from '../rule.ts';
import { arrive, givePassword, signIn } from '../visits.ts';
import type { Visitor } from '../visitor.ts';

/** The location to which a finished sign-in navigates at once (wire contract, `finishedLocation`). */
const findFinishedLocation = async (visitor: Visitor, returnUrl: string): Promise<unknown> =>
  (await visitor.succeed('getAuthContext', { query: { returnUrl } }))['finishedLocation'];

export const finishRules: readonly Rule[] = [
  {
    id: 'finish.retry',
    rule: 'The retry call answers true only until the browser has followed the finished sign-in.',
    section: 'Answers (Retry)',
    async run(scenario) {
      const { visitor, location } = await signIn(scenario);
      assert.deepEqual(await visitor.succeed('getRetry'), { retry: true });
      await visitor.follow(location);
      assert.deepEqual(await visitor.succeed('getRetry'), { retry: false });
    },
  },
  {
    id: 'finish.post-login-redirect',
    rule: 'The post-login redirect is an address of the service for a sign-in of this browser, and never a foreign address.',
    section: 'Answers (Post-login redirect), Addresses that a server sends',
    async run(scenario) {
      const { visitor, returnUrl } = await signIn(scenario);
      const { location } = await visitor.succeed('getPostLoginRedirect', { query: { returnUrl } });
      assert.ok(isAddress(location), String(location));
      assert.equal(new URL(String(location), scenario.origin).origin, scenario.origin);
      for (const foreign of ['https://attacker.example/', '//attacker.example/', '/\\attacker.example', ''])
        await visitor.refused('getPostLoginRedirect', 'validation_failed', { query: { returnUrl: foreign } });
    },
  },
  {
    id: 'finish.left-behind',
    rule: 'The page of a sign-in that was finished and followed navigates to one address of the client, whatever the query of the return address.',
    section: 'Optional members (2026-11-22)',
    needs: ['finished sign-ins'],
    async run(scenario) {
      const { visitor, location, returnUrl } = await signIn(scenario);
      await visitor.follow(location);
      const address = await findFinishedLocation(visitor, returnUrl);
      assert.ok(isAddress(address), String(address));
      const forged = new URL(returnUrl, scenario.origin);
      for (const name of ['client_id', 'redirect_uri', 'finishedLocation'])
        forged.searchParams.set(name, 'https://attacker.example/');
      assert.equal(await findFinishedLocation(visitor, `${forged.pathname}${forged.search}`), address);
    },
  },
  {
    id: 'finish.second-tab',
    rule: 'A sign-in that waits in a second tab continues once the first tab has signed in, with its own state; one that requires the password does not.',
    section: 'Optional members (2026-11-22)',
    needs: ['finished sign-ins'],
    async run(scenario) {
      const { visitor, returnUrl } = await arrive(scenario);
      const waiting = await arrive(scenario, { visitor });
      const asking = await arrive(scenario, { visitor, prompt: 'login' });
      for (const { context } of [waiting, asking]) assert.equal(context['finishedLocation'], undefined);
      const { userName, password, sites } = await scenario.createAccount('password');
      visitor.hides(password);
      const { location } = await visitor.succeed('authenticate', {
        body: { returnUrl, site: sites[0], userName, password },
      });
      const own = await findFinishedLocation(visitor, waiting.returnUrl);
      assert.ok(isAddress(own), String(own));
      assert.equal(new URL(String(own), scenario.origin).origin, scenario.origin);
      assert.notEqual(own, location);
      assert.equal(await findFinishedLocation(visitor, asking.returnUrl), undefined);
      assert.notEqual((await visitor.follow(String(own))).origin, scenario.origin);
    },
  },
  {
    id: 'finish.not-yet',
    rule: 'A sign-in that needs a code, or that requires a step from a signed-in user, is not finished.',
    section: 'Optional members (2026-11-22)',
    needs: ['finished sign-ins'],
    async run(scenario) {
      const { visitor, returnUrl } = await givePassword(scenario, 'code');
      assert.equal(await findFinishedLocation(visitor, returnUrl), undefined);
      const signedIn = await signIn(scenario);
      for (const prompt of ['login', 'elevate', 'switch_site', 'switch_tenant', 'change_password'] as const) {
        const { context } = await arrive(scenario, { prompt, visitor: signedIn.visitor });
        assert.equal(context['finishedLocation'], undefined, prompt);
      }
    },
  },
];
