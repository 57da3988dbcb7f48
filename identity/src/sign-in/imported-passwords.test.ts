import { afterAll, beforeAll, expect, test } from 'vitest';
import { portal, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { secretary, sendPassword } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { checkPassword } from './check-password.ts';
import { createKnownBrowsers } from './known-browser.ts';
import { findStoredKinds } from '../passwords/stored-kinds.ts';
import { noTracing } from '../lib/tracing.ts';

const password = 'quiet harbor morning 74';
const hashes = {
  bcrypt: '$2b$04$2b6lDtGDf1uMfYeO6ktcW.tQqPuSgLtNE7BBO2d0csMoryiryDTkW',
  php: '$2y$04$ebxdswjVxilK33waBehtXODsuQjaBIJPj7GjvSs8Hjq0ZI6GvxwUi',
  django: 'pbkdf2_sha256$1000$seasalt2Seasalt2$4gnHhj3Qc7pnGoEC2mRI8nMJf+QxLZ7G9AdoE74Bugs=',
  ldap: '{SSHA}NszmY0Yd5KZR4gU+pvUQout+ANTYe49R',
  argon2: '$argon2i$v=19$m=64,t=1,p=2$yAY76c9Gck2rbHefv0ahcw$ZFtflfcWpm8Wgg7MVGqopNyL8mugFoypS8LkORRb8tI',
};
const importedKinds = [
  '$argon2i$v=19$m=64,t=1,p=2',
  '$bcrypt$r=4',
  '$pbkdf2-sha256$i=1000,l=32',
  '$ssha-sha1',
];
const ownKind = '$argon2id$v=19$m=8,t=1,p=1';

describeStore('a user with an imported password hash', (store) => {
  let application: TestApplication;
  let computed: string[] = [];

  beforeAll(async () => {
    application = await startApplication(store().database, {
      tracing: {
        ...noTracing,
        within(name, { kind }, work) {
          if (name === 'compute hash') computed.push(String(kind));
          return work();
        },
      },
    });
  });
  afterAll(() => application.close());

  const run = (...given: Parameters<ReturnType<typeof createCommandLine>['run']>) =>
    createCommandLine(store(), application.clock).run(...given);

  async function add(users: Readonly<Record<string, string>>, flags = ''): Promise<string> {
    const lines = Object.entries(users).map(([name, hash]) =>
      JSON.stringify({ userName: name, firstName: 'I', lastName: 'M', passwordHash: hash }),
    );
    const imported = await run(`users import - ${flags}`.trim(), lines.join('\n'));
    const members = Object.keys(users).map((name) => `${name},harbor`);
    if (imported.code === 0) await run('members import -', `userName,site\n${members.join('\n')}\n`);
    return imported.errors + imported.output;
  }

  const hashOf = async (name: string): Promise<string | undefined> =>
    (
      await store()
        .database.selectFrom('sign_in_names')
        .innerJoin('credentials', 'credentials.user_id', 'sign_in_names.user_id')
        .select('credentials.password_hash')
        .where('name_key', '=', name)
        .executeTakeFirst()
    )?.password_hash;

  async function trySignIn(userName: string, typed = password, site = 'harbor'): Promise<number> {
    const browser = application.openBrowser();
    const started = await beginSignIn(browser, portal);
    return (await sendPassword(browser, started, { site, userName, password: typed })).status;
  }

  /** Expires the node's cache of the stored kinds of hashes. */
  const expireKindsCache = () => application.clock.advanceSeconds(6);

  test.each(Object.entries(hashes))(
    'signs in repeatedly with the password of %s, and is then stored like any other user',
    async (name, hash) => {
      await add({ [`once-${name}`]: hash });
      expect(await hashOf(`once-${name}`)).not.toContain(ownKind);
      expect(await trySignIn(`once-${name}`, 'another password')).toBe(401);
      expect(await hashOf(`once-${name}`)).not.toContain(ownKind);
      expect(await trySignIn(`once-${name}`)).toBe(200);
      const renewed = await hashOf(`once-${name}`);
      expect(renewed).toContain(ownKind);
      expect(await trySignIn(`once-${name}`)).toBe(200);
      expect(await hashOf(`once-${name}`)).toBe(renewed);
    },
  );

  test('keeps a hash that another change has stored during the check', async () => {
    await add({ changed: hashes.bcrypt });
    const { user_id: id } = await store()
      .database.selectFrom('sign_in_names')
      .select('user_id')
      .where('name_key', '=', 'changed')
      .executeTakeFirstOrThrow();
    const { services } = application;
    const checked = await checkPassword(
      { ...services, knownBrowsers: createKnownBrowsers(services) },
      { account: id, user: { id, passwordHash: await hashOf('changed') }, password },
      { address: '192.0.2.7', headers: {} },
    );
    expect(checked.matches).toBe(true);
    const another = await services.passwords.hash('another password');
    await store()
      .database.updateTable('credentials')
      .set({ password_hash: another })
      .where('user_id', '=', id)
      .execute();
    await checked.renewHash();
    expect(await hashOf('changed')).toBe(another);
  });

  test('costs the same work as an unknown user and any other user; without imported hashes, that work stops [S27]', async () => {
    await add({ 'work-bcrypt': hashes.bcrypt, 'work-django': hashes.django });
    await add({ 'work-ldap': hashes.ldap, 'work-argon2': hashes.argon2, 'work-php': hashes.php });
    expireKindsCache();
    const attempts: [string, string, string?][] = [
      ['nobody-at-all', password],
      ['work-bcrypt', 'wrong password'],
      ['work-django', 'wrong password'],
      ['work-ldap', 'wrong password'],
      ['work-argon2', 'wrong password'],
      ['work-django', password, 'summit'],
      [secretary.userName, 'wrong password'],
      ['employee@corp.example', password],
      [secretary.userName, password],
      ['work-php', password],
    ];
    for (const attempt of attempts) {
      await store().database.deleteFrom('limits').execute();
      computed = [];
      await trySignIn(...attempt);
      expect(computed.toSorted(), attempt.join(' ')).toEqual([...importedKinds, ownKind].toSorted());
    }
    for (const name of ['bcrypt', 'django', 'ldap', 'argon2'])
      expect(await trySignIn(`work-${name}`)).toBe(200);
    expireKindsCache();
    expect([...(await findStoredKinds(store().database))]).toEqual([ownKind]);
    computed = [];
    await trySignIn('nobody-at-all');
    expect(computed).toEqual([ownKind]);
  });

  test('signs in twice in parallel, and one new hash is stored', async () => {
    await add({ twice: hashes.bcrypt });
    expect(await Promise.all([trySignIn('twice'), trySignIn('twice')])).toEqual([200, 200]);
    expect(await hashOf('twice')).toContain(ownKind);
    expect(await trySignIn('twice')).toBe(200);
  });

  test('keeps a password that is set during the check of the imported password', async () => {
    await add({ overtaken: hashes.bcrypt });
    const { passwords } = application.services;
    const verify = passwords.verify.bind(passwords);
    const chosen = 'copper lantern 58 drifting';
    passwords.verify = async (...given) => {
      const verdict = await verify(...given);
      passwords.verify = verify;
      const set = await run('users set-password overtaken --password-stdin --no-must-change', chosen);
      expect(set.code).toBe(0);
      return verdict;
    };
    expect(await trySignIn('overtaken')).toBe(401);
    expect(await trySignIn('overtaken')).toBe(401);
    expect(await trySignIn('overtaken', chosen)).toBe(200);
  });

  test('cannot choose the imported password again', async () => {
    await add({ repeater: hashes.bcrypt });
    await run(['sites', 'update', 'harbor', '--password-policy', '{"previous":3}']);
    const refused = await run('users set-password repeater --password-stdin', password);
    expect(refused).toMatchObject({ code: 1, errors: expect.stringMatching(/^password: /) });
    await run(['sites', 'update', 'harbor', '--password-policy', '']);
  });

  test('a repeated import changes nothing, --update replaces the hash, and a password that was used here is kept', async () => {
    expect(await add({ again: hashes.bcrypt })).toContain('added again');
    expect(await add({ again: hashes.bcrypt })).toContain('unchanged again');
    expect(await add({ again: hashes.php })).toContain('there is a user again already');
    const updated = await add({ again: hashes.php }, '--update');
    expect(updated).toContain('changed again: passwordHash "a hash" → "another hash"');
    expect(updated).not.toContain('$');
    expect(await trySignIn('again')).toBe(200);
    const own = await hashOf('again');
    expect(await add({ again: hashes.bcrypt }, '--update')).toContain('unchanged again');
    expect(await hashOf('again')).toBe(own);
  });

  test('is shown with the kind of the hash, without the hash itself', async () => {
    await add({ shown: hashes.ldap });
    const outputs = [];
    for (const command of ['show shown', 'export shown', 'list --search shown', 'list --search shown --csv'])
      outputs.push((await run(`users ${command}`)).output);
    expect(outputs[0]).toContain('password, as $ssha-sha1, imported');
    for (const output of outputs) {
      expect(output).toContain('shown');
      expect(output).not.toMatch(/passwordHash|NszmY0Yd5KZR4gU|\$A?[\w/+]{20}/);
    }
  });

  test('is refused with an invalid or too costly hash, and for a user who signs in at an identity provider', async () => {
    const file = [
      'userName,firstName,lastName,passwordHash,signsInElsewhere',
      'bad-1,B,A,secret words,',
      'bad-2,B,A,$2b$20$2b6lDtGDf1uMfYeO6ktcW.tQqPuSgLtNE7BBO2d0csMoryiryDTkW,',
    ];
    expect((await run('users import -', file.join('\n'))).errors).toBe(
      [
        'line 2, passwordHash: is not a password hash in a known format (docs/operations.md)',
        'line 3, passwordHash: costs too much: bcrypt must have a cost from 4 to 14',
        '2 problems: nothing was written.',
        '',
      ].join('\n'),
    );
    const elsewhere = `${file[0]}\nbad-3,B,A,${hashes.bcrypt},yes\n`;
    expect((await run('users import -', elsewhere)).errors).toContain(
      'passwordHash: users who sign in elsewhere',
    );
    const kinds = [1, 2, 3, 4, 5].map((t) => [`kind-${t}`, hashes.argon2.replace('t=1', `t=${t}`)] as const);
    expect(await add(Object.fromEntries(kinds))).toContain('more than 4 kinds of Argon2');
    const inClear = await run('users import -', 'userName,password\nx,y\n');
    expect(inClear.errors).toContain('use passwordHash for hashes of another system');
  });

  test('gets an unusable password when the operator ends the import', async () => {
    await add({ dormant: hashes.django, foreign: hashes.argon2 });
    const { output } = await run('users end-import --dry-run --json');
    expect(JSON.parse(output)).toMatchObject({ dryRun: true });
    expect(await hashOf('dormant')).toContain('$pbkdf2');
    await run('users end-import');
    expect([await hashOf('dormant'), await hashOf('foreign')]).toEqual([
      expect.stringContaining(ownKind),
      expect.stringContaining('$argon2i$'),
    ]);
    await run('users end-import --argon2');
    expect((await run('users end-import --argon2')).output).toBe('0 imported hashes replaced\n');
    expect([...(await findStoredKinds(store().database))]).toEqual([ownKind]);
    expect(await trySignIn('dormant')).toBe(401);
  });
});
