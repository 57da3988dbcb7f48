import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { portal, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { secretary, sendPassword, signIn } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';

describeStore('support commands', (store) => {
  let application: TestApplication;
  beforeAll(async () => {
    application = await startApplication(store().database);
    return () => application.close();
  });

  const run = (words: string | string[], input = '') =>
    createCommandLine(store(), application.clock, {}, application.keys).run(words, input);
  const show = async () => (await run(`users show ${secretary.userName} --json`)).json()[0] ?? {};

  async function failUntilRefused(browser: Browser): Promise<number> {
    const started = await beginSignIn(browser, portal);
    const wrong = { ...secretary, password: 'a wrong password' };
    for (let failures = 0; failures < 20; failures += 1)
      if ((await sendPassword(browser, started, wrong)).status === 429) return failures;
    throw new Error('nothing was refused');
  }

  test('show why a user is refused, and lockouts clear lets the user sign in', async () => {
    const failures = await failUntilRefused(application.openBrowser());
    await application.services.audit.flush();
    const [lockout] = (await run('lockouts list --json')).json();
    expect(lockout).toMatchObject({ what: 'wrong passwords', who: secretary.userName, count: failures });
    const refused = await show();
    expect(refused['signIn']).toEqual([
      expect.stringMatching(/wrong passwords.*lockouts clear --user secretary@demo\.example/),
    ]);
    expect(refused['lastAttempts']).toEqual(
      expect.arrayContaining([
        expect.stringContaining('refused without checking after too many failures of the account'),
        expect.stringContaining('password.check failure: wrong password at harbor from 127.0.0.1'),
      ]),
    );
    expect(await run(`lockouts clear --user ${secretary.userName}`)).toMatchObject({ code: 0 });
    expect((await run('lockouts list --json')).json()).toEqual([]);
    await signIn(application.openBrowser());
    await application.services.audit.flush();
    expect(await show()).toMatchObject({
      status: ['active'],
      signIn: [expect.stringMatching(/^The last attempt succeeded\. Since /)],
      sessions: [expect.stringContaining('at harbor by pwd')],
      factors: [expect.stringContaining('password, set')],
    });
    expect(
      (await run('audit list --user secretary@demo.example --event operator.change --json')).json(),
    ).toEqual([
      expect.objectContaining({
        details: expect.objectContaining({ resource: 'lockouts', action: 'clear' }),
      }),
    ]);
  });

  test('list a refused address, and clear it', async () => {
    const { limits, audit } = application.services;
    const address = '203.0.113.7';
    audit.note({ event: 'password.check', result: 'failure' }, { correlationId: 'flood', address });
    await audit.flush();
    const attempt = (number: number) =>
      limits.attempt({ kind: 'password', account: `nobody-${number}`, address }).then(
        () => true,
        () => false,
      );
    let used = 0;
    while (await attempt(used)) used += 1;
    expect((await run('lockouts list --json')).json()).toMatchObject([
      { what: 'wrong passwords from the address', who: address, count: used },
    ]);
    expect(await run(`lockouts clear --address ${address}`)).toMatchObject({ code: 0 });
    expect((await run('lockouts list --json')).json()).toEqual([]);
  });

  test('list an exhausted limit of sent codes, and clear it', async () => {
    const { id } = await store()
      .database.selectFrom('users')
      .select('id')
      .where('user_name', '=', secretary.userName)
      .executeTakeFirstOrThrow();
    const { codes } = createCommandLine(store()).context.config;
    const sent = Array.from({ length: codes.perDay }, (_, index) => ({
      id: `message-${index}`,
      user_id: id,
      number_hash: 'number',
      number_range: '+442079',
      sent_at: application.clock.now(),
    }));
    await store().database.insertInto('code_messages').values(sent).execute();
    const [lockout] = (await run('lockouts list --user secretary@demo.example --json')).json();
    expect(lockout).toMatchObject({ what: 'codes sent to the user', count: codes.perDay });
    expect((await run('lockouts clear --codes --json')).json()).toEqual([
      { counters: 0, codeMessages: codes.perDay },
    ]);
    expect((await run('lockouts list --json')).json()).toEqual([]);
  });

  test.each(['lockouts clear', 'lockouts clear --user a --codes', 'lockouts clear --address nowhere'])(
    '%s is invalid usage',
    async (words) => {
      expect(await run(words)).toMatchObject({ code: 2 });
    },
  );

  test('export the data of a user without hashes, codes and secrets', async () => {
    await signIn(application.openBrowser());
    const { code, output } = await run(`users export ${secretary.userName}`);
    expect(code).toBe(0);
    const exported = JSON.parse(output) as Record<string, unknown>;
    expect(exported).toMatchObject({
      account: { userName: secretary.userName },
      memberships: expect.arrayContaining([expect.objectContaining({ site: 'harbor' })]),
    });
    expect(Object.keys(exported)).toEqual(
      expect.arrayContaining(['identities', 'sessions', 'toDos', 'auditEvents']),
    );
    expect(output).not.toMatch(/argon2|password_hash|token_hash|code_hash/);
  });

  test.each([
    ['authenticator', 'an authenticator app', 'Your authenticator app was removed'],
    ['passkeys', 'a passkey, Chrome', 'Your passkeys were removed'],
  ])(
    'remove-%s removes the factor, ends the sessions and notifies the user',
    async (factor, listed, subject) => {
      const { database } = store();
      const browser = application.openBrowser();
      await signIn(browser);
      const { id } = await database
        .selectFrom('users')
        .select('id')
        .where('user_name', '=', secretary.userName)
        .executeTakeFirstOrThrow();
      if (factor === 'authenticator') {
        const subject = { uid: 'sign-in', userId: id, securityVersion: 0 };
        const { apps } = application.services.factors;
        await database.transaction().execute((transaction) => apps.setUp(transaction, subject, 1));
      } else {
        await database
          .insertInto('passkeys')
          .values({
            credential_id: 'lost',
            user_id: id,
            public_key: 'cHVibGlj',
            sign_count: 0,
            backup_eligible: false,
            backed_up: false,
            transports: '[]',
            aaguid: '00000000-0000-0000-0000-000000000000',
            name: 'Chrome (Windows)',
            created_at: application.clock.now(),
          })
          .execute();
      }
      expect((await show())['factors']).toEqual(expect.arrayContaining([expect.stringContaining(listed)]));
      const words = `users remove-${factor} ${secretary.userName}`;
      expect(await run(words)).toMatchObject({ code: 0 });
      expect((await show())['factors']).toEqual([expect.stringContaining('password')]);
      expect((await browser.call('/api/ui/sites')).status).toBe(401);
      const mails = await database
        .selectFrom('outbox')
        .select('text')
        .where('subject', 'like', `${subject}%`)
        .execute();
      expect(mails).toHaveLength(1);
      expect(await run(words)).toMatchObject({ code: 1, errors: expect.stringContaining('has no') });
    },
  );

  test('sessions end accepts an id that begins with a hyphen without --', async () => {
    await signIn(application.openBrowser());
    const [latest] = (await run('sessions list --json')).json();
    await store()
      .database.updateTable('sessions')
      .set({ id_hash: `-Vh${'x'.repeat(40)}` })
      .where('id_hash', '=', String(latest?.['session']))
      .execute();
    expect(await run('sessions end -Vhxxxxxx')).toMatchObject({ code: 0, output: '1 session ended\n' });
    expect(await run('sessions end --colour')).toMatchObject({ code: 1 });
  });

  test('suggest names that are similar to an unknown name', async () => {
    expect((await run('users show secretery@demo.example')).errors).toBe(
      'there is no user secretery@demo.example; did you mean secretary@demo.example?\n',
    );
    expect((await run('sites disable habor')).errors).toBe(
      'name: there is no site habor; did you mean harbor?\n',
    );
    expect((await run('sites show zzzzzz')).errors).toBe('there is no site zzzzzz\n');
  });

  test('users list finds a part of a name or e-mail', async () => {
    for (const words of ['users list --search CRETAR --json', 'users list --search emo.example --json'])
      expect((await run(words)).json().map(({ userName }) => userName)).toContain(secretary.userName);
  });

  test('users remove deletes all data of the user except audit events, which contain no name; a dry run deletes nothing', async () => {
    await run('users add erased --first-name Era --last-name Sed --email erased@x.example');
    await run('members add erased harbor');
    const dry = await run('users remove erased --dry-run');
    expect(dry.output).toMatch(
      /^remove erased\n {2}account: 1\n {2}memberships: 1\n[\s\S]*kept: audit events/,
    );
    expect((await run('users show erased')).code).toBe(0);
    const [before] = (await run('users show erased --json')).json();
    expect(await run('users remove erased')).toMatchObject({ code: 0 });
    expect(await run('users show erased')).toMatchObject({ code: 1 });
    const { rows } = await findMentions(String(before?.['id']));
    expect(rows).toEqual(['audit_events']);
    expect((await run(`audit list --user ${String(before?.['id'])} --json`)).json()).not.toEqual([]);
    expect(
      JSON.stringify((await run(`audit list --user ${String(before?.['id'])} --json`)).json()),
    ).not.toContain('erased@x.example');
    // the name and the e-mail are available again
    expect(await run('users add erased --first-name E --last-name S --email erased@x.example')).toMatchObject(
      { code: 0 },
    );
  });

  /** The tables that contain the id in any column. */
  async function findMentions(id: string): Promise<{ rows: string[] }> {
    const { database } = store();
    const own = await sql<{ schema: string }>`select current_schema() as schema`.execute(database);
    const tables = await database.introspection.getTables();
    const rows: string[] = [];
    // other suites use other schemas of the same database
    for (const { name } of tables.filter(({ schema }) => schema === own.rows[0]?.schema)) {
      const all = await database
        .selectFrom(name as 'users')
        .selectAll()
        .execute();
      if (JSON.stringify(all).includes(id)) rows.push(name);
    }
    return { rows };
  }

  test('sites remove keeps the members of a site, and keeps the sites of a removed group', async () => {
    await run('sites import -', 'name,displayName,parent\ngone,Gone,\ngone-child,Child,gone\n');
    await run(`members add ${secretary.userName} gone`);
    const dry = await run('sites remove gone --dry-run --json');
    expect(dry.json()).toMatchObject([
      { removed: ['gone'], deleted: { memberships: 1, 'sites removed from its group': 1 }, dryRun: true },
    ]);
    expect(await run('sites remove gone')).toMatchObject({ code: 0 });
    expect((await run('sites show gone-child --json')).json()).toMatchObject([{ parent: null }]);
    expect((await run(`users show ${secretary.userName}`)).code).toBe(0);
  });
});
