import { beforeEach, describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { secretary, sendPassword, signIn } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();

beforeEach(async () => {
  const { audit, database } = application().services;
  await audit.flush();
  for (const table of ['limits', 'sessions', 'audit_events'] as const)
    await database.deleteFrom(table).execute();
});

type Event = { at: string; kind: string; site?: string; browser?: string };

const listed = async (browser: Browser): Promise<Event[]> =>
  (await browser.call('/api/ui/account/activity')).json()['events'] as Event[];

async function signedIn(): Promise<Browser> {
  const browser = application().openBrowser();
  await signIn(browser);
  return browser;
}

describe('the recent activity of an account', () => {
  test('lists sign-ins and wrong passwords, the latest first, without those of other users', async () => {
    const stranger = application().openBrowser();
    await sendPassword(stranger, await beginSignIn(stranger, portal), { ...secretary, password: 'wrong' });
    await sendPassword(stranger, await beginSignIn(stranger, portal), {
      ...secretary,
      userName: 'director@demo.example',
      password: 'wrong',
    });
    const browser = await signedIn();
    const events = await listed(browser);
    expect(events.map(({ kind }) => kind)).toEqual(['signed-in', 'wrong-password']);
    expect(events[0]?.site).toBe('Harbor Trust');
    expect(Object.keys(events[1] ?? {})).not.toContain('reason');
  });

  test('lists changes by the user and ended sessions', async () => {
    await signedIn();
    const browser = await signedIn();
    await browser.call('/api/ui/account');
    expect((await browser.post('/api/ui/account/end-other-sessions', {})).status).toBe(204);
    expect((await browser.post('/api/ui/account/forget-computers', {})).status).toBe(204);
    expect((await listed(browser)).map(({ kind }) => kind).toSorted()).toEqual(
      ['computers-forgotten', 'signed-in', 'signed-in', 'signed-out'].toSorted(),
    );
  });

  test('covers the last 30 days', async () => {
    await signedIn();
    application().clock.advanceSeconds(30 * 24 * 60 * 60);
    const browser = await signedIn();
    expect((await listed(browser)).map(({ kind }) => kind)).toEqual(['signed-in']);
  });

  test('the activity and the data export require authentication in the last 10 minutes [S25]', async () => {
    const browser = await signedIn();
    application().clock.advanceSeconds(601);
    expect((await browser.call('/api/ui/account/activity')).status).toBe(401);
    expect((await browser.call('/api/ui/account/data')).status).toBe(401);
    expect((await application().openBrowser().call('/api/ui/account/data')).status).toBe(401);
  });
});

describe('the data export', () => {
  test("contains the user's own data without hashes and secrets, and is recorded in the audit log", async () => {
    const browser = await signedIn();
    const answer = await browser.call('/api/ui/account/data');
    const data = answer.json();
    expect(data).toMatchObject({
      account: { userName: secretary.userName },
      password: { mustChange: false },
      memberships: expect.arrayContaining([expect.objectContaining({ site: 'harbor' })]) as unknown,
      sessions: [{ site: 'harbor', methods: [{ method: 'pwd', at: expect.any(String) as unknown }] }],
      auditEvents: expect.arrayContaining([
        expect.objectContaining({ event: 'session.begin', result: 'success' }),
      ]) as unknown,
    });
    expect(answer.text).not.toMatch(/argon2|_hash|\$2[aby]\$|director@demo/);
    await application().services.audit.flush();
    const noted = await application()
      .services.database.selectFrom('audit_events')
      .select('event')
      .where('event', '=', 'user.export')
      .execute();
    expect(noted).toHaveLength(1);
  });
});
