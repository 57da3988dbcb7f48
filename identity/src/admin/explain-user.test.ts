import { resendWaitSeconds } from '@anteroom/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { elias } from '../../testing/company/openid-company.ts';
import { setUpCompany } from '../../testing/company/set-up-company.ts';
import { sendPassword } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { addAccount, passwordOf } from '../../testing/two-users/accounts.ts';
import type { Account } from '../../testing/two-users/accounts.ts';
import { findAttempt } from './attempts.ts';
import { explainUser } from './explain-user.ts';
import type { Story } from './explain-user.ts';
import { causes } from './obstacles.ts';
import type { Cause } from './obstacles.ts';
import { remedies } from './remedies.ts';

const at = setUpCompany();
const { application } = at;
const daySeconds = 24 * 60 * 60;
/** As many as `setUpCompany` allows. */
const failures = 40;

const commandLine = () =>
  createCommandLine(
    application().services,
    application().clock,
    { LIMIT_ADDRESS_FAILURES: String(failures) },
    application().keys,
  );

async function run(words: string | string[], input?: string): Promise<void> {
  expect(await commandLine().run(words, input)).toMatchObject({ code: 0, errors: '' });
}

async function explain(user: Account, options: Parameters<typeof explainUser>[2] = {}): Promise<Story> {
  await application().services.audit.flush();
  return await explainUser(commandLine().context, user.id, options);
}

/** Sends a password for the user at a site. Returns the next step, or the error code. */
async function attempt(user: Account, site: string, password = passwordOf(user).password): Promise<unknown> {
  const browser = application().openBrowser();
  const started = await beginSignIn(browser, portal);
  const { status, code } = (
    await sendPassword(browser, started, { site, userName: user.userName, password })
  ).json();
  return status ?? code;
}

const newUser = (more: Parameters<typeof addAccount>[1] = {}) =>
  addAccount(application(), { hasPhone: false, memberOf: ['harbor'], ...more });

/** A user who was invited, and has no password yet. */
async function invitedUser(): Promise<Account> {
  const userName = `invited-${Math.random()}@demo.example`;
  await run(`users add ${userName} --first-name In --last-name Vited --email ${userName} --invite`);
  await run(`members add ${userName} harbor`);
  const [shown] = (await commandLine().run(`users show ${userName} --json`)).json();
  return { id: String(shown?.['id']), userName, phoneNumber: undefined };
}

const employee = async (): Promise<Account> => {
  const [shown] = (await commandLine().run('users show employee@corp.example --json')).json();
  return { id: String(shown?.['id']), userName: 'employee@corp.example', phoneNumber: undefined };
};

type Case = {
  arrange: () => Promise<Account>;
  site?: string;
  attempted: unknown;
  helps: Story['verdict']['remedies'][number]['name'];
  /** What the sentence says. */
  says: string;
  times?: ('since' | 'until')[];
  /** Whether the command of the remedy alone lets the user in. */
  isCured?: boolean;
};

const cases = {
  disabled: {
    async arrange() {
      const user = await newUser();
      await run(`users disable ${user.userName}`);
      return user;
    },
    attempted: 'invalid_credentials',
    says: 'disabled',
    helps: 'enable-user',
    times: ['since'],
    isCured: true,
  },
  'no-membership': {
    async arrange() {
      const user = await newUser();
      await run(`members remove ${user.userName} harbor`);
      return user;
    },
    attempted: 'invalid_credentials',
    says: 'not a member of Harbor Trust',
    helps: 'add-member',
    times: ['since'],
    isCured: true,
  },
  'membership-blocked': {
    async arrange() {
      const user = await newUser();
      await run(`members disable ${user.userName} harbor`);
      return user;
    },
    attempted: 'select_site_required',
    says: 'must not enter',
    helps: 'enable-member',
    times: ['since'],
    isCured: true,
  },
  'site-disabled': {
    async arrange() {
      const user = await newUser();
      await run('sites disable harbor');
      return user;
    },
    attempted: 'invalid_credentials',
    says: 'Harbor Trust is disabled',
    helps: 'enable-site',
    times: ['since'],
    isCured: true,
  },
  'account-locked': {
    async arrange() {
      const user = await newUser();
      while ((await attempt(user, 'harbor', 'wrong')) !== 'rate_limit_reached');
      return user;
    },
    attempted: 'rate_limit_reached',
    says: 'wrong passwords in a row',
    helps: 'unlock',
    times: ['since', 'until'],
    isCured: true,
  },
  'address-locked': {
    async arrange() {
      const { limits } = application().services;
      for (let count = 0; count < failures; count += 1)
        await limits
          .attempt({ kind: 'password', account: `nobody-${count}`, address: '127.0.0.1' })
          .catch(() => undefined);
      return await newUser();
    },
    attempted: 'rate_limit_reached',
    says: '127.0.0.1',
    helps: 'unlock-address',
    times: ['until'],
    isCured: true,
  },
  'invitation-pending': {
    arrange: invitedUser,
    attempted: 'invalid_credentials',
    says: 'has not chosen a password yet',
    helps: 'invite',
    times: ['since', 'until'],
  },
  'invitation-expired': {
    async arrange() {
      const user = await invitedUser();
      application().clock.advanceSeconds(8 * daySeconds);
      return user;
    },
    attempted: 'invalid_credentials',
    says: 'has expired',
    helps: 'invite',
    times: ['since'],
  },
  'mail-bounced': {
    async arrange() {
      const user = await invitedUser();
      await run(`users bounced ${user.userName} --status 5.1.1`);
      return user;
    },
    attempted: 'invalid_credentials',
    says: '5.1.1',
    helps: 'change-email',
    times: ['since'],
  },
  'must-sign-in-at-the-company': {
    async arrange() {
      at.company.employee = { ...elias, email_verified: false };
      const browser = application().openBrowser();
      const { returnUrl } = await beginSignIn(browser, portal);
      await at.travel(browser, returnUrl);
      return await employee();
    },
    site: 'corp',
    attempted: 'invalid_credentials',
    says: 'the provider has not verified the address',
    helps: 'test-connection',
    times: ['since'],
  },
  'connection-disabled': {
    async arrange() {
      const { name } = await application()
        .services.database.selectFrom('connections')
        .select('name')
        .executeTakeFirstOrThrow();
      await run(`connections disable ${name}`);
      return await employee();
    },
    site: 'corp',
    attempted: 'invalid_credentials',
    says: 'is disabled',
    helps: 'enable-connection',
    times: ['since'],
  },
  'required-factor-missing': {
    arrange: () => newUser({ memberOf: ['summit'] }),
    site: 'summit',
    attempted: 'site_requires_mfa',
    says: 'requires a second factor, and the user has none',
    helps: 'set-phone-number',
  },
  'code-budget-used-up': {
    async arrange() {
      const user = await newUser({ memberOf: ['summit'], hasPhone: true });
      for (let count = 0; count < 5; count += 1) {
        await attempt(user, 'summit');
        application().clock.advanceSeconds(resendWaitSeconds);
      }
      return user;
    },
    site: 'summit',
    attempted: 'second_factor_required',
    says: 'no code is sent',
    helps: 'clear-codes',
    times: ['until'],
  },
  'password-must-be-changed': {
    async arrange() {
      const user = await newUser();
      await run(`users update ${user.userName} --must-change-password`);
      return user;
    },
    attempted: 'password_reset_required',
    says: 'must change the password',
    helps: 'password-link',
    times: ['since'],
  },
} satisfies Record<Exclude<Cause, 'none'>, Case>;

beforeEach(async () => {
  application().clock.advanceSeconds(5);
  await run('sites enable harbor');
  await application().services.database.deleteFrom('code_messages').execute();
});

test('every cause has a sign-in below', () => {
  expect([...Object.keys(cases), 'none']).toEqual(causes);
});

describe('a real sign-in that stops', () => {
  test.each(Object.entries(cases) as [Cause, Case][])('is explained: %s', async (cause, expected) => {
    const { site = 'harbor', attempted, helps, says, times = [], isCured = false } = expected;
    const user = await expected.arrange();
    expect(await attempt(user, site)).toBe(attempted);
    const { verdict, obstacles } = await explain(user);
    expect(verdict).toMatchObject({ cause, sentence: expect.stringContaining(says) });
    expect(obstacles[0]).toEqual(verdict);
    const [remedy] = verdict.remedies;
    expect(remedy).toMatchObject({ name: helps });
    expect(['since', 'until'].filter((time) => verdict[time as 'since' | 'until'] !== undefined)).toEqual(
      times,
    );
    // the command line prints the same sentence, with the command of the remedy
    const shown = (await commandLine().run(`users show ${user.userName} --json`)).json()[0]?.['signIn'];
    const command =
      remedy === undefined ? '' : remedies[remedy.name].command(user.userName, remedy.target ?? '');
    expect(shown).toEqual(expect.arrayContaining([expect.stringContaining(verdict.sentence)]));
    expect(JSON.stringify(shown)).toContain(command);
    if (!isCured) return;
    await run(command);
    // A node remembers a refused address for up to 5 seconds.
    application().clock.advanceSeconds(5);
    expect(await attempt(user, site)).toBe('redirect');
    expect((await explain(user)).verdict).toMatchObject({
      cause: 'none',
      sentence: 'The last attempt succeeded.',
    });
  });
});

describe('without an obstacle, the verdict names the last attempt', () => {
  test('that failed, with a link for a new password after a wrong one', async () => {
    const user = await newUser();
    expect((await explain(user)).verdict).toMatchObject({ cause: 'none', remedies: [] });
    await attempt(user, 'harbor', 'wrong');
    expect((await explain(user)).verdict).toMatchObject({
      cause: 'none',
      sentence: expect.stringContaining('failed: wrong password'),
      remedies: [{ name: 'password-link', operation: 'users:help' }],
    });
  });

  test('that the user left at a step', async () => {
    const user = await newUser({ hasPhone: true, memberOf: ['summit'] });
    expect(await attempt(user, 'summit')).toBe('second_factor_required');
    expect((await explain(user)).verdict).toMatchObject({
      cause: 'none',
      sentence: expect.stringContaining('a code was to be sent'),
    });
  });

  test('at the company, after a refusal there', async () => {
    at.company.employee = { ...elias, email_verified: false };
    const browser = application().openBrowser();
    await at.travel(browser, (await beginSignIn(browser, portal)).returnUrl);
    at.company.employee = elias;
    application().clock.advanceSeconds(1);
    await at.signInOverCompany();
    expect((await explain(await employee())).verdict).toMatchObject({
      cause: 'none',
      sentence: 'The last attempt succeeded.',
    });
  });
});

test('an invitation is no obstacle for a user whose password was accepted', async () => {
  const user = await newUser();
  await attempt(user, 'harbor');
  await run(`users invite ${user.userName}`);
  expect(await explain(user)).toMatchObject({ verdict: { cause: 'none' }, invitation: { state: 'pending' } });
});

test('returned mail is an obstacle until the user signs in', async () => {
  const user = await newUser();
  await run(`users bounced ${user.userName}`);
  expect((await explain(user)).verdict).toMatchObject({
    cause: 'mail-bounced',
    remedies: [{ name: 'change-email' }, { name: 'password-link' }],
  });
  application().clock.advanceSeconds(1);
  expect(await attempt(user, 'harbor')).toBe('redirect');
  expect((await explain(user)).verdict.cause).toBe('none');
});

test('a factor that the site does not accept is missing; one that is set up during the sign-in is not', async () => {
  const [withPhone, without] = [
    await newUser({ hasPhone: true, memberOf: ['summit'] }),
    await newUser({ memberOf: ['summit'] }),
  ];
  await run('sites update summit --second-factors totp,passkey --authenticator-apps');
  expect((await explain(withPhone)).verdict).toMatchObject({
    cause: 'required-factor-missing',
    sentence: expect.stringContaining('does not accept the one that the user has. It accepts: totp, passkey'),
    remedies: [{ name: 'accept-factor', target: 'summit' }],
  });
  expect((await explain(without)).verdict.cause).toBe('none');
  await run(['sites', 'update', 'summit', '--second-factors', '', '--no-authenticator-apps']);
});

describe('of a user with several sites', () => {
  test('the verdict is about the asked site, otherwise about that of the latest attempt', async () => {
    const user = await newUser({ memberOf: ['harbor', 'northwind'] });
    await run(`members disable ${user.userName} harbor`);
    expect(await explain(user)).toMatchObject({
      verdict: { cause: 'none' },
      memberships: [
        { site: 'harbor', displayName: 'Harbor Trust', label: null, cause: 'membership-blocked' },
        { site: 'northwind', cause: 'none' },
      ],
    });
    expect((await explain(user, { site: 'HARBOR' })).verdict.cause).toBe('membership-blocked');
    expect((await explain(user, { site: 'summit' })).verdict.cause).toBe('no-membership');
    await attempt(user, 'harbor');
    expect((await explain(user)).verdict).toMatchObject({ cause: 'membership-blocked', site: 'harbor' });
    await expect(explain(user, { site: 'atlantis' })).rejects.toThrow('there is no site atlantis');
  });

  test('a reader of one site sees neither other sites nor addresses', async () => {
    const user = await newUser({ memberOf: ['harbor', 'northwind'] });
    await attempt(user, 'northwind', 'wrong');
    await attempt(user, 'harbor', 'wrong');
    const story = await explain(user, { sites: ['harbor'] });
    expect(story).toMatchObject({
      memberships: [{ site: 'harbor' }],
      attempts: [{ site: 'harbor', address: null, reason: 'wrong password' }],
    });
    expect(JSON.stringify(story)).not.toMatch(/northwind|127\.0\.0\.1/i);
    await expect(explain(user, { site: 'northwind', sites: ['harbor'] })).rejects.toThrow(
      'there is no site northwind',
    );
  });
});

test('a correlation id finds the events of one browser, from every node', async () => {
  const user = await newUser();
  const browser = application().openBrowser();
  const started = await beginSignIn(browser, portal);
  const headers = { 'x-correlation-id': 'd2c7a0b2-1111-4222-8333-444455556666' };
  const credentials = { site: 'harbor', userName: user.userName, password: 'wrong' };
  await browser.post('/api/ui/authenticate', { returnUrl: started.returnUrl, ...credentials }, headers);
  await application().services.audit.flush();
  const { database } = application().services;
  const found = { correlationId: headers['x-correlation-id'] };
  expect(await findAttempt(database, found)).toMatchObject([
    { event: 'password.check', site: 'harbor', reason: 'wrong password' },
  ]);
  expect(await findAttempt(database, { ...found, sites: ['northwind'] })).toEqual([]);
});
