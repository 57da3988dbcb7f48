import { beforeEach, describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { beginSession, provedNow } from '../../testing/begin-session.ts';
import type { Browser } from '../../testing/browser.ts';
import { secretary, sendPassword, signIn } from '../../testing/journeys.ts';
import { listMessages } from '../../testing/outbox.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { createSoftwarePasskey } from '../../testing/software-passkey.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication({ settings: { PASSKEY_RP_ID: 'localhost' } });

beforeEach(async () => {
  const { database } = application().services;
  for (const table of ['limits', 'remembered_devices', 'sessions', 'passkeys'] as const)
    await database.deleteFrom(table).execute();
});

type Session = { id: string; isPresent: boolean; site: string };

const read = (browser: Browser) => browser.call('/api/ui/account');
const readSessions = async (browser: Browser): Promise<Session[]> =>
  (await read(browser)).json()['sessions'] as Session[];
const change = (browser: Browser, call: string, body: object = {}) =>
  browser.post(`/api/ui/account/${call}`, body);

async function signedIn(): Promise<Browser> {
  const browser = application().openBrowser();
  await signIn(browser);
  return browser;
}

async function idOf(userName: string): Promise<string> {
  const { id } = await application()
    .services.database.selectFrom('users')
    .select('id')
    .where('user_name', '=', userName)
    .executeTakeFirstOrThrow();
  return id;
}

/** Starts the reauthentication, up to the sign-in page. */
async function beginReauthentication(browser: Browser, purpose = 'confirm'): Promise<string> {
  const { headers } = await browser.call('/api/ui/account/proof', { purpose, refererClientId: 'director' });
  const { address } = await browser.follow(headers['location'] ?? '');
  const returnUrl = address.searchParams.get('ReturnUrl') ?? '';
  await browser.call('/api/ui/auth-context', { returnUrl });
  return returnUrl;
}

describe('the account of a signed-in user', () => {
  test('contains names, sites, password, sessions and the start page of the application', async () => {
    const browser = await signedIn();
    const answer = await browser.call('/api/ui/account', { refererClientId: portal.clientId });
    expect(answer.json()).toMatchObject({
      userName: secretary.userName,
      email: secretary.userName,
      sites: expect.arrayContaining(['Harbor Trust']) as unknown,
      password: { changedAt: expect.any(String) as unknown },
      sessions: [{ isPresent: true, site: 'Harbor Trust' }],
      rememberedComputers: 0,
    });
    expect(answer.text).not.toContain(browser.cookies.get('anteroom_session')?.value);
  });

  test('leads back to the application while it asks for a confirmation', async () => {
    const browser = await signedIn();
    const returnUrl = await beginReauthentication(browser);
    const context = (await browser.call('/api/ui/auth-context', { returnUrl })).json();
    expect(context).toMatchObject({
      promptMethod: 'elevate',
      cancelRedirectUri: 'http://localhost:4401/cancelled',
    });
  });

  test('requires a session', async () => {
    const browser = application().openBrowser();
    expect((await read(browser)).status).toBe(401);
    await beginSignIn(browser, portal);
    expect((await change(browser, 'end-other-sessions')).status).toBe(401);
  });
});

describe('a session that authenticated more than 10 minutes ago [S25]', () => {
  test('can neither read nor change the account until the user authenticates again [S25]', async () => {
    const browser = await signedIn();
    application().clock.advanceSeconds(601);
    expect((await read(browser)).status).toBe(401);
    for (const call of ['end-session', 'end-other-sessions', 'forget-computers'])
      expect((await change(browser, call, call === 'end-session' ? { id: 'x' } : {})).status).toBe(401);

    const returnUrl = await beginReauthentication(browser);
    const { location } = (await sendPassword(browser, { returnUrl })).json();
    const { address } = await browser.follow(String(location));
    expect(address.pathname).toBe('/ui/account');
    expect(address.searchParams.get('state')).toBe('director');
    expect((await read(browser)).status).toBe(200);
  });

  test('stays refused after a wrong password', async () => {
    const browser = await signedIn();
    application().clock.advanceSeconds(601);
    const returnUrl = await beginReauthentication(browser);
    expect((await sendPassword(browser, { returnUrl }, { ...secretary, password: 'wrong' })).status).toBe(
      401,
    );
    expect((await read(browser)).status).toBe(401);
  });

  test('can change the password through the change-password step', async () => {
    const browser = await signedIn();
    const returnUrl = await beginReauthentication(browser, 'change-password');
    const context = await browser.call('/api/ui/auth-context', { returnUrl });
    expect(context.json()['promptMethod']).toBe('change_password');
  });
});

test('a password on a remembered computer is not sufficient for a user with a second factor [S25]', async () => {
  const { sessions } = application().services;
  const browser = application().openBrowser();
  const setSession = async (methods: ('pwd' | 'sms')[]) => {
    const userId = await idOf('director@demo.example');
    const { cookieValue } = await beginSession(sessions, userId, {
      methods: provedNow(...methods),
      authSite: 'harbor',
    });
    browser.cookies.set('anteroom_session', { value: cookieValue, path: '/' });
  };
  await setSession(['pwd']);
  expect((await read(browser)).status).toBe(401);
  // reauthentication also requires the code
  const returnUrl = await beginReauthentication(browser);
  const answer = await sendPassword(
    browser,
    { returnUrl },
    { ...secretary, userName: 'director@demo.example' },
  );
  expect(answer.json()).toMatchObject({ status: 'second_factor_required' });
  await setSession(['pwd', 'sms']);
  expect((await read(browser)).status).toBe(200);
});

describe('sessions', () => {
  test('a session that the user ends is invalid at once, and the others stay valid [S23]', async () => {
    const [here, there, elsewhere] = [await signedIn(), await signedIn(), await signedIn()];
    const [, other] = await readSessions(there).then((all) => all.toSorted((a) => (a.isPresent ? -1 : 1)));
    expect((await readSessions(here)).map(({ isPresent }) => isPresent)).toEqual([true, false, false]);
    const own = (await readSessions(there)).find(({ isPresent }) => isPresent);
    expect(other?.id).not.toBe(own?.id);
    expect((await change(here, 'end-session', { id: own?.id })).status).toBe(204);
    expect((await there.call('/api/ui/sites')).status).toBe(401);
    expect((await elsewhere.call('/api/ui/sites')).status).toBe(200);
    expect((await here.call('/api/ui/sites')).status).toBe(200);
  });

  test('all other sessions can be ended at once, and the current session stays valid [S23]', async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    expect((await change(here, 'end-other-sessions')).status).toBe(204);
    expect((await there.call('/api/ui/sites')).status).toBe(401);
    expect(await readSessions(here)).toHaveLength(1);
  });

  test("another user's sessions cannot be ended", async () => {
    const browser = await signedIn();
    const director = await idOf('director@demo.example');
    const { sessions } = application().services;
    const { session, cookieValue } = await beginSession(sessions, director);
    expect((await change(browser, 'end-session', { id: session.idHash })).status).toBe(204);
    expect((await sessions.find(cookieValue, { extend: false })).state).toBe('valid');
  });

  test('remembered computers can be forgotten', async () => {
    const browser = await signedIn();
    const { factors } = application().services;
    const token = await factors.devices.remember(undefined, {
      id: await idOf(secretary.userName),
      securityVersion: 0,
    });
    expect((await read(browser)).json()['rememberedComputers']).toBe(1);
    expect((await change(browser, 'forget-computers')).status).toBe(204);
    expect((await read(browser)).json()['rememberedComputers']).toBe(0);
    expect(await factors.devices.isRemembered(token, await idOf(secretary.userName))).toBe(false);
  });
});

describe('passkeys', () => {
  const director = 'director@demo.example';

  /** Opens a browser whose user has just authenticated with these methods, but has no phone number or app. */
  async function signedInWith(
    userName: string,
    methods: ('pwd' | 'sms')[] = ['pwd', 'sms'],
  ): Promise<Browser> {
    const { sessions, database } = application().services;
    const browser = application().openBrowser();
    const { id, security_version: securityVersion } = await database
      .selectFrom('users')
      .select(['id', 'security_version'])
      .where('user_name', '=', userName)
      .executeTakeFirstOrThrow();
    const account = { id, securityVersion };
    const { cookieValue } = await beginSession(sessions, id, {
      account,
      methods: provedNow(...methods),
      authSite: 'harbor',
    });
    browser.cookies.set('anteroom_session', { value: cookieValue, path: '/' });
    // sets the anti-forgery cookie
    await read(browser);
    return browser;
  }

  const begin = async (browser: Browser) =>
    (await change(browser, 'passkey-options')).json()['options'] as { challenge: string };
  const create = (options: { challenge: string }) =>
    createSoftwarePasskey({ origin: publicUrl, rpId: 'localhost' }).create(options);
  const list = async (browser: Browser) =>
    (await read(browser)).json()['passkeys'] as { id: string; name: string }[];

  async function withPasskey(userName = director): Promise<{ browser: Browser; id: string }> {
    const browser = await signedInWith(userName);
    expect((await change(browser, 'add-passkey', { credential: create(await begin(browser)) })).status).toBe(
      200,
    );
    const [passkey] = await list(browser);
    return { browser, id: passkey?.id ?? '' };
  }

  const mails = async (): Promise<string[]> => {
    await application().services.settleMessages();
    const rows = await listMessages(application().services.database, 'mail');
    return rows.map(({ text }) => text);
  };

  test('can be added, renamed and removed, and the user is notified by mail', async () => {
    await application().services.database.deleteFrom('outbox').execute();
    const { browser, id } = await withPasskey();
    expect((await change(browser, 'rename-passkey', { id, name: ' Work laptop ' })).status).toBe(204);
    expect(await list(browser)).toMatchObject([{ id, name: 'Work laptop' }]);
    const elsewhere = await signedInWith(director);
    const before = browser.cookies.get('anteroom_session')?.value;
    expect((await change(browser, 'remove-passkey', { id })).status).toBe(204);
    expect(await list(browser)).toEqual([]);
    expect(browser.cookies.get('anteroom_session')?.value).not.toBe(before);
    expect((await elsewhere.call('/api/ui/sites')).status).toBe(401);
    const sent = await mails();
    expect(sent.filter((text) => text.includes('A passkey was added'))).toHaveLength(1);
    expect(sent.filter((text) => text.includes('A passkey was removed from your account'))).toHaveLength(1);
  });

  test.each(['', '  ', 'x'.repeat(61)])('cannot be named %j', async (name) => {
    const { browser, id } = await withPasskey();
    expect((await change(browser, 'rename-passkey', { id, name })).status).toBe(400);
  });

  test('cannot be read or changed without authentication in the last 10 minutes [P06, S25]', async () => {
    const { browser, id } = await withPasskey();
    const credential = create(await begin(browser));
    application().clock.advanceSeconds(601);
    const bodies = {
      'passkey-options': {},
      'add-passkey': { credential },
      'rename-passkey': { id, name: 'x' },
      'remove-passkey': { id },
    };
    for (const [call, body] of Object.entries(bodies))
      expect((await change(browser, call, body)).status, call).toBe(401);
  });

  test('can be added after a fresh password by a user without a factor, at whose sites none is required', async () => {
    const browser = await signedInWith(secretary.userName, ['pwd']);
    const other = await signedInWith(secretary.userName, ['pwd']);
    expect((await read(browser)).json()).toMatchObject({ passkeys: [], mayAddPasskey: true });
    const credential = create(await begin(browser));
    expect((await change(browser, 'add-passkey', { credential })).status).toBe(200);
    expect((await mails()).at(-1)).toContain('A passkey was added');
    // Its creation counts as a proof; any other session must use the passkey.
    expect((await read(browser)).json()).toMatchObject({ passkeys: [{}] });
    expect((await read(other)).status).toBe(401);
  });

  test('cannot be added after a password alone if a site requires a second factor [P06, S25]', async () => {
    const { database } = application().services;
    const setRequired = (second_factor_required: boolean) =>
      database.updateTable('sites').set({ second_factor_required }).where('name', '=', 'harbor').execute();
    await setRequired(true);
    const browser = await signedInWith(secretary.userName, ['pwd']);
    expect((await read(browser)).json()).toMatchObject({ mayAddPasskey: false });
    expect((await change(browser, 'passkey-options')).json()['code']).toBe('forbidden');
    await setRequired(false);
  });

  test('cannot be changed after a password alone [P06, S25]', async () => {
    const withPassword = await signedInWith(secretary.userName, ['pwd']);
    const { id } = await withPasskey(secretary.userName);
    expect((await change(withPassword, 'remove-passkey', { id })).status).toBe(401);
    expect((await read(withPassword)).status).toBe(401);
  });

  test('of another user cannot be renamed or removed [P06]', async () => {
    const { browser: owner, id } = await withPasskey();
    const { browser } = await withPasskey(secretary.userName);
    expect((await change(browser, 'rename-passkey', { id, name: 'mine' })).status).toBe(204);
    expect((await change(browser, 'remove-passkey', { id })).status).toBe(204);
    expect(await list(owner)).toMatchObject([{ id, name: 'Passkey' }]);
  });

  test('require a challenge of this browser, which only one of 50 concurrent requests can use [P06]', async () => {
    const browser = await signedInWith(director);
    const foreign = await begin(await signedInWith(director));
    expect((await change(browser, 'add-passkey', { credential: create(foreign) })).status).toBe(401);
    const options = await begin(browser);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => change(browser, 'add-passkey', { credential: create(options) })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await list(browser)).toHaveLength(1);
  });

  test('the last passkey cannot be removed if a site requires it, not even by two concurrent removals [P07]', async () => {
    const { database } = application().services;
    const { browser } = await withPasskey(secretary.userName);
    await change(browser, 'add-passkey', { credential: create(await begin(browser)) });
    const setRequired = (second_factor_required: boolean) =>
      database.updateTable('sites').set({ second_factor_required }).where('name', '=', 'harbor').execute();
    await setRequired(true);
    const ids = (await list(browser)).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    await Promise.all(ids.map((id) => change(browser, 'remove-passkey', { id })));
    const [last] = await list(browser);
    const refused = await change(browser, 'remove-passkey', { id: last?.id });
    expect([refused.status, refused.json()['code']]).toEqual([401, 'site_requires_mfa']);
    expect(await list(browser)).toHaveLength(1);
    await setRequired(false);
    expect((await change(browser, 'remove-passkey', { id: last?.id })).status).toBe(204);
  });
});
