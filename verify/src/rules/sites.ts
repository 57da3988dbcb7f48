import { strict as assert } from 'node:assert';
import { isAddress } from '../every-answer.ts';
import type { Answer } from '../every-answer.ts';
import type { Rule } from '../rule.ts';
import { arrive } from '../visits.ts';
import { createVisitor } from '../visitor.ts';

const maximumSiteGuesses = 500;

export const siteRules: readonly Rule[] = [
  {
    id: 'context.remembered-site',
    rule: 'The site in the query is the default site if it exists, and has the address of its service.',
    section: 'Decisions (site in the query of auth-context)',
    async run(scenario) {
      const { visitor, returnUrl } = await arrive(scenario);
      const ask = (site: string) => visitor.succeed('getAuthContext', { query: { returnUrl, site } });
      const known = await ask(scenario.sites.open);
      assert.equal(known['defaultSite'], scenario.sites.open);
      assert.ok(isAddress(known['identityServiceUrl']));
      const unknown = await ask(scenario.sites.unknown);
      assert.equal(unknown['defaultSite'], undefined);
      assert.equal(unknown['identityServiceUrl'], undefined);
    },
  },
  {
    id: 'site.existence',
    rule: 'The existence of a site is answered with 200 in both cases; an existing site has the address of its service.',
    section: 'Answers (Site existence)',
    async run(scenario) {
      const { visitor } = await arrive(scenario);
      const known = await visitor.succeed('getSiteExistence', { params: { name: scenario.sites.open } });
      assert.equal(known['siteExists'], true);
      assert.ok(isAddress(known['identityServiceUrl']));
      // The canonical name and the display data of the organisation are optional.
      assert.ok([undefined, scenario.sites.open].includes(known['name'] as string | undefined));
      const unknown = await visitor.succeed('getSiteExistence', { params: { name: scenario.sites.unknown } });
      assert.equal(unknown['siteExists'], false);
    },
  },
  {
    id: 'site.organisation',
    rule: 'The context and the existence of a site name the same organisation and logo, whatever the case of the typed name; without a site there is neither.',
    section: 'Optional members (2026-11-22)',
    needs: ['organisations'],
    async run(scenario) {
      const { visitor, returnUrl, context } = await arrive(scenario);
      const { open, unknown } = scenario.sites;
      const ask = (site: string) => visitor.succeed('getAuthContext', { query: { returnUrl, site } });
      const { name, displayName, logoPath } = await visitor.succeed('getSiteExistence', {
        params: { name: open.toUpperCase() },
      });
      assert.equal(name, open);
      assert.ok(typeof displayName === 'string' && displayName !== '', String(displayName));
      assert.ok(isAddress(logoPath), String(logoPath));
      for (const site of [open, open.toUpperCase()]) {
        const known = await ask(site);
        assert.equal(known['defaultSite'], open);
        assert.equal(known['defaultSiteDisplayName'], displayName);
        assert.equal(known['defaultSiteLogoPath'], logoPath);
      }
      for (const nowhere of [context, await ask(unknown)])
        for (const member of ['defaultSite', 'defaultSiteDisplayName', 'defaultSiteLogoPath'])
          assert.equal(nowhere[member], undefined, member);
    },
  },
  {
    id: 'settings.site',
    rule: 'The settings of a site are the same by GET and POST, and in the existence of the site if it names them; an unknown site has the settings of a site with passwords.',
    section: 'Answers (Site settings)',
    async run(scenario) {
      const { visitor, returnUrl } = await arrive(scenario);
      const { open, federated, unknown } = scenario.sites;
      for (const [site, allowPasswordEntry] of [
        [open, true],
        [unknown, true],
        ...(federated === undefined ? [] : [[federated, false] as const]),
      ] as const) {
        const request = { returnUrl, site };
        assert.deepEqual(await visitor.succeed('getSiteSettings', { query: request }), {
          allowPasswordEntry,
        });
        assert.deepEqual(await visitor.succeed('postSiteSettings', { body: request }), {
          allowPasswordEntry,
        });
        const existence = await visitor.succeed('getSiteExistence', { params: { name: site } });
        assert.ok(
          [undefined, allowPasswordEntry].includes(existence['allowPasswordEntry'] as boolean | undefined),
        );
      }
    },
  },
  {
    id: 'settings.user',
    rule: 'The settings of a user depend only on the site or the domain, and are the same for an existing and an unknown user name.',
    section: 'Answers (User settings)',
    async run(scenario) {
      const { userName } = await scenario.createAccount('password');
      const { visitor, returnUrl } = await arrive(scenario);
      const { open, federated } = scenario.sites;
      for (const [site, shouldRedirectToExternalAuth] of [
        [open, false],
        ...(federated === undefined ? [] : [[federated, true] as const]),
      ] as const)
        for (const usernameOrEmail of [userName, `nobody-${userName}`, '']) {
          const request = { returnUrl, usernameOrEmail, site };
          const expected = { shouldRedirectToExternalAuth };
          assert.deepEqual(await visitor.succeed('getUserSettings', { query: request }), expected);
          assert.deepEqual(await visitor.succeed('postUserSettings', { body: request }), expected);
        }
    },
  },
];

export const siteLimitRules: readonly Rule[] = [
  {
    id: 'site.limited',
    rule: 'Look-ups of unknown sites are limited, also without cookies: before the 500th, the answer is rate_limit_reached, even for an existing site, until Retry-After has passed.',
    section: 'Optional members (2026-11-22)',
    // Needs a clock, because the address of the kit would otherwise stay blocked for later rules and runs.
    needs: ['organisations', 'a clock'],
    async run(scenario) {
      const { open, unknown } = scenario.sites;
      const lookUp = (name: string) => createVisitor(scenario).call('getSiteExistence', { params: { name } });
      let last: Answer | undefined;
      for (let guess = 0; guess < maximumSiteGuesses && last?.status !== 429; guess += 1)
        last = await lookUp(`${unknown}-${guess}`);
      assert.equal(last?.status, 429, `${maximumSiteGuesses} unknown sites were looked up`);
      assert.equal(last.json()['code'], 'rate_limit_reached');
      const { status } = await lookUp(open);
      // Ends the block of the address before the next assertions, which can fail.
      await scenario.advanceSeconds(Number(last.headers['retry-after']) + 1);
      assert.equal(status, 429, 'an existing site was answered above the limit');
      const later = await lookUp(open);
      assert.equal(later.status, 200, 'a site was refused after Retry-After');
    },
  },
];
