import { describe, expect, test } from 'vitest';
import { readIdToken } from '../../testing/journeys.ts';
import { keyOf, signAnew } from '../../testing/regions/forged-tokens.ts';
import {
  choose,
  fetchTokens,
  fetchToken,
  isLetIn,
  openVisitor,
  postToken,
  prepareToken,
  signInAtHome,
  handOver,
} from '../../testing/regions/visitor.ts';
import type { Visitor } from '../../testing/regions/visitor.ts';
import {
  createKeysOfRegion,
  createRegionKey,
  directorId,
  lakeside,
} from '../../testing/regions/two-regions.ts';
import type { TestRegion } from '../../testing/regions/two-regions.ts';
import { databaseKinds } from '../../testing/describe-store.ts';
import { useRegions } from '../../testing/regions/use-regions.ts';

describe.each(databaseKinds)('a visitor of eu who selects a site of us, on $kind', ({ open }) => {
  const regions = useRegions(open);

  const prepare = () => prepareToken(regions(), openVisitor(regions()));
  const send = ({ us }: Pick<Visitor, 'us'>, token: string, headers: Record<string, string> = {}) =>
    postToken(us, regions().eu.url, token, headers);
  const sessionOf = ({ us }: Visitor) => us.call('/api/ui/sites', {});

  async function expectRefused(visitor: Visitor, token: string): Promise<void> {
    const answer = await send(visitor, token);
    expect(isLetIn(answer)).toBe(false);
    expect(answer.status).toBe(303);
    expect(answer.headers['location']).toMatch(/^\/ui\/home\/error\?errorId=[\w-]+$/);
    expect((await sessionOf(visitor)).status).toBe(401);
  }

  test('arrives in region us with the authentication methods of eu, and the application gets its tokens from us', async () => {
    const visitor = openVisitor(regions());
    const page = await handOver(regions(), visitor);
    const { us } = regions();
    expect(isLetIn(page), page.text).toBe(true);
    expect(page.text).toContain(`http://localhost:4401/initiate-sign-in?iss=${encodeURIComponent(us.url)}`);

    const tokens = await fetchTokens(us, visitor.us);
    expect(readIdToken(tokens)).toMatchObject({
      iss: us.url,
      sub: directorId,
      site: lakeside,
      amr: ['pwd', 'sms'],
    });
  });

  test('gets a new session id in region us, and the previous id is invalid [S22]', async () => {
    const { visitor, token } = await prepare();
    const name = 'anteroom_session';
    const before = visitor.us.cookies.get(name);
    expect(isLetIn(await send(visitor, token))).toBe(true);
    expect(visitor.us.cookies.get(name)?.value).not.toBe(before?.value);
    expect((await sessionOf(visitor)).status).toBe(200);
    visitor.us.cookies.set(name, before!);
    expect((await sessionOf(visitor)).status).toBe(401);
  });

  test('a hand-over token is accepted once [S56]', async () => {
    const { visitor, token } = await prepare();
    expect(isLetIn(await send(visitor, token))).toBe(true);
    expect(isLetIn(await send(visitor, token))).toBe(false);
  });

  test('one of 50 parallel requests with the same token is accepted [S56]', async () => {
    const { visitor, token } = await prepare();
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(visitor, token)));
    expect(answers.filter(isLetIn)).toHaveLength(1);
  });

  test('a used token stays used after a restart [S56]', async () => {
    const { visitor, token } = await prepare();
    expect(isLetIn(await send(visitor, token))).toBe(true);
    await regions().us.restart();
    const again = { ...visitor, us: visitor.us.at(regions().us.app) };
    expect(isLetIn(await send(again, token))).toBe(false);
  });

  test('a token is rejected in another browser, whether or not that browser has an arrival of its own [S56]', async () => {
    const { visitor, token } = await prepare();
    const { visitor: other } = await prepare();
    await expectRefused(other, token);
    await expectRefused(openVisitor(regions()), token);
    // The failed attempts have not consumed the token.
    expect(isLetIn(await send(visitor, token))).toBe(true);
  });

  test('an arrival belongs to the first browser that presents it [S56]', async () => {
    const visitor = openVisitor(regions());
    const { returnUrl } = await signInAtHome(regions(), visitor);
    const location = String((await choose(visitor.eu, returnUrl)).json()['location']);
    const thief = openVisitor(regions());
    expect((await thief.us.visit(location)).headers['location']).toContain('/regions/hand-over?request=');
    expect((await visitor.us.visit(location)).headers['location']).toMatch(/^\/ui\/home\/error/);
  });

  test('eu gives the token to the browser of the departure only, and once [S56]', async () => {
    const visitor = openVisitor(regions());
    const { returnUrl } = await signInAtHome(regions(), visitor);
    const location = String((await choose(visitor.eu, returnUrl)).json()['location']);
    const returnAddress = (await visitor.us.visit(location)).headers['location'] ?? '';
    const other = openVisitor(regions());
    await signInAtHome(regions(), other);
    for (const browser of [other.eu, openVisitor(regions()).eu])
      expect((await browser.visit(returnAddress)).headers['location']).toMatch(/^\/ui\/home\/error/);
    expect((await visitor.eu.visit(returnAddress)).text).toContain('name="word"');
    expect((await visitor.eu.visit(returnAddress)).headers['location']).toMatch(/^\/ui\/home\/error/);
  });

  test('no step of the hand-over is accepted after 60 seconds [S56]', async () => {
    const { visitor, token } = await prepare();
    regions().advanceSeconds(61);
    await expectRefused(visitor, token);

    const late = openVisitor(regions());
    const { returnUrl } = await signInAtHome(regions(), late);
    const location = String((await choose(late.eu, returnUrl)).json()['location']);
    const returnAddress = (await late.us.visit(location)).headers['location'] ?? '';
    regions().advanceSeconds(61);
    expect((await late.eu.visit(returnAddress)).headers['location']).toMatch(/^\/ui\/home\/error/);
    expect((await late.us.visit(location)).headers['location']).toMatch(/^\/ui\/home\/error/);
  });

  test('the token appears in no URL, Referer, log or table [S56]', async () => {
    const { visitor, token } = await prepare();
    const other = openVisitor(regions());
    const { returnUrl } = await signInAtHome(regions(), other);
    const chosen = await choose(other.eu, returnUrl);
    const arrived = await other.us.visit(String(chosen.json()['location']));
    const page = await other.eu.visit(arrived.headers['location'] ?? '');
    expect(page.headers['referrer-policy']).toBe('strict-origin');
    expect(page.headers['cache-control']).toBe('no-store');
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy).toContain(`form-action ${regions().us.url};`);
    expect(policy).not.toMatch(/unsafe|\*/);

    const answer = await send(visitor, token);
    expect(isLetIn(answer)).toBe(true);
    const [, , signature = ''] = token.split('.');
    expect(answer.text).not.toContain(signature);
    for (const { log, services } of [regions().eu, regions().us]) {
      await services.audit.flush();
      const rows = await services.database.selectFrom('audit_events').selectAll().execute();
      const all = JSON.stringify([log, rows]);
      expect(all).not.toContain(signature);
      expect(all).not.toContain(new URL(String(chosen.json()['location'])).searchParams.get('request'));
    }
  });

  describe('us applies its own checks, whatever eu has asserted [S56]', () => {
    const undo: (() => Promise<unknown>)[] = [];
    const changes: [string, (us: TestRegion) => Promise<unknown>][] = [
      [
        'the user was disabled',
        ({ services: { database } }) => {
          const set = (status: 'active' | 'disabled') =>
            database.updateTable('users').set({ status }).where('id', '=', directorId).execute();
          undo.push(() => set('active'));
          return set('disabled');
        },
      ],
      [
        'the site was disabled',
        ({ services: { database }, clock }) => {
          const set = (disabled_at: Date | null) =>
            database.updateTable('sites').set({ disabled_at }).where('name', '=', lakeside).execute();
          undo.push(() => set(null));
          return set(clock.now());
        },
      ],
      [
        'the entitlement no longer applies',
        ({ services: { database } }) => {
          const set = (met: boolean) =>
            database
              .updateTable('memberships')
              .set({ entitlement_requirements_met: met })
              .where('site_id', 'in', (query) =>
                query.selectFrom('sites').select('id').where('name', '=', lakeside),
              )
              .execute();
          undo.push(() => set(true));
          return set(false);
        },
      ],
      [
        'the site has moved to a third region',
        ({ services: { database } }) => {
          const set = (identity_service_url: string | null) =>
            database
              .updateTable('sites')
              .set({ identity_service_url })
              .where('name', '=', lakeside)
              .execute();
          undo.push(() => set(null));
          return set('http://ap.anteroom.localhost');
        },
      ],
    ];
    test.each(changes)('rejects the hand-over if %s in the meantime [S56]', async (_name, change) => {
      const { visitor, token } = await prepare();
      await change(regions().us);
      await expectRefused(visitor, token);
      // If the change happens before the redirect to us, the visitor stays in eu.
      const early = openVisitor(regions());
      const { returnUrl } = await signInAtHome(regions(), early);
      const chosen = await choose(early.eu, returnUrl);
      expect([chosen.status, chosen.json()['code']]).toEqual([400, 'session_migration_failure']);
      expect((await early.eu.call('/api/ui/sites', { returnUrl })).status).toBe(200);
      for (const step of undo.splice(0)) await step();
    });

    test('rejects the hand-over if the user was disabled in eu between selection and token', async () => {
      const visitor = openVisitor(regions());
      const { returnUrl } = await signInAtHome(regions(), visitor);
      const chosen = await choose(visitor.eu, returnUrl);
      const arrived = await visitor.us.visit(String(chosen.json()['location']));
      const { database } = regions().eu.services;
      const set = (status: 'active' | 'disabled') =>
        database.updateTable('users').set({ status }).where('id', '=', directorId).execute();
      await set('disabled');
      expect((await visitor.eu.visit(arrived.headers['location'] ?? '')).headers['location']).toMatch(
        /^\/ui\/home\/error/,
      );
      await set('active');
    });
  });

  test('while us is unreachable the response is session_migration_failure, and the visitor stays signed in and can select another site [S56]', async () => {
    const { eu, us } = regions();
    const visitor = openVisitor(regions());
    const { returnUrl } = await signInAtHome(regions(), visitor);
    await us.unplug();
    const chosen = await choose(visitor.eu, returnUrl);
    expect([chosen.status, chosen.json()]).toEqual([400, { code: 'session_migration_failure' }]);
    const list = await visitor.eu.call('/api/ui/sites', { returnUrl });
    expect(list.status).toBe(200);
    expect(JSON.stringify(list.json())).toContain(lakeside);
    expect((await choose(visitor.eu, returnUrl, 'northwind')).json()).toMatchObject({ status: 'redirect' });
    await us.plugIn();

    // If eu is unreachable when us verifies the token, the hand-over fails.
    const { visitor: other, token } = await prepare();
    await us.restart();
    await eu.unplug();
    const again = { ...other, us: other.us.at(us.app) };
    await expectRefused(again, token);
    await eu.plugIn();
  });

  test('key rotation in eu is seamless, and a retired key is rejected within a minute [S57]', async () => {
    const { eu } = regions();
    const old = keyOf(eu);
    const next = createRegionKey('eu-2');
    await eu.restart(createKeysOfRegion([next, old], eu.keys));
    const { visitor, token } = await prepare();
    expect(isLetIn(await send(visitor, token))).toBe(true);

    const { visitor: overlapping, token: again } = await prepare();
    expect(isLetIn(await send(overlapping, await signAnew(again, old)))).toBe(true);

    await eu.restart(createKeysOfRegion([next], eu.keys));
    regions().advanceSeconds(61);
    const { visitor: late, token: fresh } = await prepare();
    await expectRefused(late, await signAnew(fresh, old));
    const { visitor: honest, token: control } = await prepare();
    expect(isLetIn(await send(honest, control))).toBe(true);
  });

  test.each([60, -60])('a clock difference of %i s is tolerated [F07]', async (seconds) => {
    const { us } = regions();
    const visitor = openVisitor(regions());
    const { returnUrl } = await signInAtHome(regions(), visitor);
    us.clock.advanceSeconds(-seconds);
    const token = await fetchToken(visitor, await choose(visitor.eu, returnUrl));
    expect(isLetIn(await send(visitor, token))).toBe(true);
    us.clock.advanceSeconds(seconds);
  });

  test.each([300, -300])(
    'a clock difference of %i s is rejected, and the audit log gives the reason [F07]',
    async (seconds) => {
      const { eu, us } = regions();
      us.clock.advanceSeconds(-seconds);
      const visitor = openVisitor(regions());
      const { returnUrl } = await signInAtHome(regions(), visitor);
      const chosen = await choose(visitor.eu, returnUrl);
      expect([chosen.status, chosen.json()['code']]).toEqual([400, 'session_migration_failure']);
      expect((await visitor.eu.call('/api/ui/sites', { returnUrl })).status).toBe(200);
      us.clock.advanceSeconds(seconds);
      await eu.services.audit.flush();
      const noted = await eu.services.database
        .selectFrom('audit_events')
        .selectAll()
        .where('event', '=', 'region.hand-over')
        .orderBy('number', 'desc')
        .executeTakeFirstOrThrow();
      expect(noted).toMatchObject({ result: 'failure', reason: 'the region answered 403' });
      expect(JSON.stringify(us.log)).toMatch(seconds > 0 ? /issued in the future/ : /"exp\\?" claim/);
    },
  );
});
