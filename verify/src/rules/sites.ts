import { strict as assert } from 'node:assert';
import { isAddress } from '../every-answer.ts';
import type { Rule } from '../rule.ts';
import { arrive } from '../visits.ts';

export const siteRules: readonly Rule[] = [
  {
    id: 'context.remembered-site',
    rule: 'The site in the query is the default site, where there is such a site, and brings the address of its service.',
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
    rule: 'Whether a site exists is answered with 200 either way; an existing one brings the address of its service.',
    section: 'Answers (Site existence)',
    async run(scenario) {
      const { visitor } = await arrive(scenario);
      const known = await visitor.succeed('getSiteExistence', { params: { name: scenario.sites.open } });
      assert.equal(known['siteExists'], true);
      assert.ok(isAddress(known['identityServiceUrl']));
      // optional: the name that is used from now on, and what the organisation is shown with
      assert.ok([undefined, scenario.sites.open].includes(known['name'] as string | undefined));
      const unknown = await visitor.succeed('getSiteExistence', { params: { name: scenario.sites.unknown } });
      assert.equal(unknown['siteExists'], false);
    },
  },
  {
    id: 'site.organisation',
    rule: 'The context and the existence of a site name its organisation and logo alike, whatever case the site was typed in; without a site there is neither.',
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
    rule: 'The settings of a site are the same by GET and by POST; a site that does not exist answers as one with passwords.',
    section: 'Answers (Site settings)',
    async run(scenario) {
      const { visitor, returnUrl } = await arrive(scenario);
      const { open, federated, unknown } = scenario.sites;
      for (const [site, allowPasswordEntry] of [
        [open, true],
        [unknown, true],
        ...(federated === undefined ? [] : [[federated, false] as const]),
      ] as const) {
        const asked = { returnUrl, site };
        assert.deepEqual(await visitor.succeed('getSiteSettings', { query: asked }), { allowPasswordEntry });
        assert.deepEqual(await visitor.succeed('postSiteSettings', { body: asked }), { allowPasswordEntry });
      }
    },
  },
  {
    id: 'settings.user',
    rule: 'The settings of a user are decided by the site or the domain, and are the same for a name that exists and one that does not.',
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
          const asked = { returnUrl, usernameOrEmail, site };
          const expected = { shouldRedirectToExternalAuth };
          assert.deepEqual(await visitor.succeed('getUserSettings', { query: asked }), expected);
          assert.deepEqual(await visitor.succeed('postUserSettings', { body: asked }), expected);
        }
    },
  },
];
