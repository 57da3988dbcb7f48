import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestKeys, portal, publicUrl, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { askUserInfo, redeem, secretary, signIn } from '../../testing/journeys.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { askForTokens, authorizeAddress } from '../../testing/relying-party.ts';
import { addAccount, passwordOf } from '../../testing/two-users/accounts.ts';

describeStore('authorization codes', (store) => {
  const clock = movableClock(new Date());
  let nodes: [TestApplication, TestApplication];
  beforeAll(async () => {
    const keys = createTestKeys();
    const { database } = store();
    nodes = [
      await startApplication(database, { clock, keys }),
      await startApplication(database, { clock, keys }),
    ];
  });
  afterAll(() => Promise.all(nodes.map((node) => node.close())));

  test('one of 50 parallel redemptions on two nodes succeeds, and its tokens are revoked [S52]', async () => {
    const started = await signIn(nodes[0].openBrowser());
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => redeem(nodes[index % 2] ?? nodes[0], started)),
    );
    const successes = answers.filter(({ status }) => status === 200);
    expect(successes).toHaveLength(1);
    for (const refused of answers.filter(({ status }) => status !== 200)) {
      expect(refused.status).toBe(400);
      expect(refused.json()).toMatchObject({ error: 'invalid_grant' });
    }
    expect((await askUserInfo(nodes[1], successes[0]?.json()['access_token'])).status).toBe(401);
  });

  test('a code cannot be redeemed with the verifier of another request [S52]', async () => {
    const [mine, stolen] = [await signIn(nodes[0].openBrowser()), await signIn(nodes[0].openBrowser())];
    const answer = await redeem(nodes[0], { code: stolen.code, codeVerifier: mine.codeVerifier });
    expect(answer.json()).toMatchObject({ error: 'invalid_grant' });
  });

  test('a code is bound to its client and its redirect URI [S52]', async () => {
    await store()
      .database.insertInto('clients')
      .values({
        id: 'other-application',
        display_name: 'Other',
        customizations: '{}',
        metadata: JSON.stringify({ redirect_uris: [portal.redirectUri], token_endpoint_auth_method: 'none' }),
        created_at: clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const started = await signIn(nodes[0].openBrowser());
    const byAnother = await askForTokens(
      nodes[0].app,
      publicUrl,
      { ...portal, clientId: 'other-application' },
      {
        grant_type: 'authorization_code',
        code: started.code,
        redirect_uri: portal.redirectUri,
        code_verifier: started.codeVerifier,
      },
    );
    expect(byAnother.json()).toMatchObject({ error: 'invalid_grant' });
    const elsewhere = await redeem(nodes[0], started, { redirect_uri: 'http://localhost:4401/' });
    expect(elsewhere.json()).toMatchObject({ error: 'invalid_grant' });
    expect((await redeem(nodes[0], started)).status).toBe(200);
  });

  test('a code cannot be redeemed after 60 seconds or after the sign-out [S52]', async () => {
    const late = await signIn(nodes[0].openBrowser());
    clock.advanceSeconds(60);
    expect((await redeem(nodes[0], late)).json()).toMatchObject({ error: 'invalid_grant' });

    const browser = nodes[0].openBrowser();
    const leaving = await signIn(browser);
    expect((await browser.at(nodes[1].app).post('/api/ui/auth/sign-out', {})).status).toBe(204);
    expect((await redeem(nodes[0], leaving)).json()).toMatchObject({ error: 'invalid_grant' });
  });

  test('disabling a user invalidates their codes and tokens, but not those of another user [S23]', async () => {
    const { database } = store();
    const [early, late] = [await signIn(nodes[0].openBrowser()), await signIn(nodes[0].openBrowser())];
    const tokens = (await redeem(nodes[0], early)).json();
    const other = await addAccount(nodes[0], { hasPhone: false });
    const theirs = (
      await redeem(
        nodes[0],
        await signIn(nodes[0].openBrowser(), {}, { ...passwordOf(other), site: 'harbor' }),
      )
    ).json();
    const disable = (status: 'active' | 'disabled') =>
      database.updateTable('users').set({ status }).where('user_name', '=', secretary.userName).execute();
    await disable('disabled');
    expect((await redeem(nodes[1], late)).json()).toMatchObject({ error: 'invalid_grant' });
    expect((await askUserInfo(nodes[1], tokens['access_token'])).status).toBe(401);
    expect((await askUserInfo(nodes[1], theirs['access_token'])).status).toBe(200);
    await disable('active');
  });

  test('the application gets login_required if the session ends before its code is written [S23]', async () => {
    const { database } = store();
    const browser = nodes[0].openBrowser();
    await signIn(browser);
    // A visit is recorded at most once a minute.
    clock.advanceSeconds(60);
    // Ends the session at the moment at which its visit is recorded: by then, the request has read it as valid.
    await sql`create function end_session() returns trigger language plpgsql as $$
      begin
        new.ended_at = new.created_at;
        return new;
      end $$`.execute(database);
    await sql`create trigger end_session before update on sessions for each row
      when (new.last_seen_at > old.last_seen_at) execute function end_session()`.execute(database);
    try {
      const { address } = await browser.follow(
        authorizeAddress(portal, { scope: 'openid profile email offline_access', prompt: 'consent' }).address,
      );
      expect(address.href).toContain(portal.redirectUri);
      expect(address.searchParams.get('error')).toBe('login_required');
    } finally {
      await sql`drop function end_session cascade`.execute(database);
    }
  });

  test('one of 50 parallel uses of a refresh token succeeds, and the grant is revoked [S52]', async () => {
    const offline = { scope: 'openid offline_access', prompt: 'consent' };
    const first = (await redeem(nodes[0], await signIn(nodes[0].openBrowser(), offline))).json();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        askForTokens((nodes[index % 2] ?? nodes[0]).app, publicUrl, portal, {
          grant_type: 'refresh_token',
          refresh_token: String(first['refresh_token']),
        }),
      ),
    );
    const successes = answers.filter(({ status }) => status === 200);
    expect(successes).toHaveLength(1);
    expect((await askUserInfo(nodes[1], successes[0]?.json()['access_token'])).status).toBe(401);
  });

  test('an altered access token and an ID token used as access token are rejected [S53]', async () => {
    const tokens = (await redeem(nodes[0], await signIn(nodes[0].openBrowser()))).json();
    for (const token of [`${String(tokens['access_token'])}x`, tokens['id_token'], 'x', '']) {
      expect((await askUserInfo(nodes[0], token)).status).toBeGreaterThanOrEqual(400);
    }
  });
});
