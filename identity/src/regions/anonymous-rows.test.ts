import { describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import { authorizeAddress } from '../../testing/relying-party.ts';
import { lakeside } from '../../testing/regions/two-regions.ts';
import { databaseKinds } from '../../testing/describe-store.ts';
import { useRegions } from '../../testing/regions/use-regions.ts';
import { openVisitor } from '../../testing/regions/visitor.ts';
import type { Visitor } from '../../testing/regions/visitor.ts';

const allowed = 30;

describe.each(databaseKinds)(
  'sign-ins that a page of region eu begins in region us, on $kind',
  ({ open }) => {
    const regions = useRegions(open, { LIMIT_ADDRESS_FAILURES: '1' });

    let last = 0;
    /** A return address that no region has issued. */
    function inventReturnUrl(more: Record<string, string> = {}): string {
      const { searchParams } = new URL(authorizeAddress(portal, more).address, regions().eu.url);
      return `/connect/authorize/made-up-sign-in-${(last += 1)}?${searchParams.toString()}`;
    }
    const askUs = ({ us }: Visitor, returnUrl: string) =>
      us.visit(`/api/ui/auth-context?${new URLSearchParams({ returnUrl, site: lakeside }).toString()}`, {
        accept: 'application/json',
        origin: regions().eu.url,
        'sec-fetch-site': 'same-site',
      });
    const listSignIns = () => regions().us.services.database.selectFrom('sign_ins').selectAll().execute();

    async function begin(): Promise<Visitor> {
      const { database } = regions().us.services;
      for (const table of ['limits', 'sign_ins', 'sessions'] as const)
        await database.deleteFrom(table).execute();
      return openVisitor(regions());
    }

    test('are refused with 429 after the allowance of the address, also in a browser with an anonymous session [S67]', async () => {
      const visitor = await begin();
      const first = inventReturnUrl();
      expect((await askUs(visitor, first)).status).toBe(200);
      for (let count = 1; count < allowed; count += 1)
        expect((await askUs(visitor, inventReturnUrl())).status).toBe(200);
      for (let count = 0; count < 3; count += 1)
        expect((await askUs(visitor, inventReturnUrl())).json()).toEqual({ code: 'rate_limit_reached' });
      expect(await listSignIns()).toHaveLength(allowed);
      // A sign-in that has begun continues.
      expect((await askUs(visitor, first)).status).toBe(200);
    });

    test('are refused if their parameters have more than 4 kB, and nothing is stored [S67]', async () => {
      const visitor = await begin();
      const refused = await askUs(visitor, inventReturnUrl({ state: 's'.repeat(4096) }));
      expect([refused.status, refused.json()['code']]).toEqual([400, 'validation_failed']);
      expect(await listSignIns()).toEqual([]);
      expect((await askUs(visitor, inventReturnUrl({ state: 's'.repeat(3000) }))).status).toBe(200);
    });

    test('live 15 minutes, and 30 minutes after each further call of the page [S67]', async () => {
      const visitor = await begin();
      const returnUrl = inventReturnUrl();
      const minutesLeft = async () => {
        const [signIn] = await listSignIns();
        return ((signIn?.expires_at.getTime() ?? 0) - regions().us.clock.now().getTime()) / 60_000;
      };
      await askUs(visitor, returnUrl);
      expect(await minutesLeft()).toBe(15);
      await askUs(visitor, returnUrl);
      expect(await minutesLeft()).toBe(30);
    });
  },
);
