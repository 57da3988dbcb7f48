import { describe, expect, test } from 'vitest';
import { beginSession } from '../../testing/begin-session.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { findUserByName } from '../users/users-store.ts';
import { createLinks } from '../recovery/links-store.ts';
import { users } from '../admin/users.ts';

/** Satisfies the default policy. */
const goodPassword = 'copper lantern 58 drifting';

describeStore('anteroom users', (store) => {
  const commandLine = () => createCommandLine(store());
  const run = (...given: Parameters<ReturnType<typeof createCommandLine>['run']>) =>
    commandLine().run(...given);
  const find = (name: string) => findUserByName(store().database, name);

  async function verify(name: string, password: string): Promise<boolean> {
    const { passwords } = await commandLine().context.services();
    return (await passwords.verify(password, (await find(name))?.passwordHash)).matches;
  }

  test('an imported id is unique and cannot be changed, so that it is the same in every region', async () => {
    const file = 'userName,firstName,lastName,id\nregional,Rae,Region,user-of-two-regions\n';
    expect(await run('users import -', file)).toMatchObject({ code: 0, errors: '' });
    const [listed] = (await run('users list --search regional --json')).json();
    expect(listed).toMatchObject({ userName: 'regional', id: 'user-of-two-regions' });
    const taken = await run('users import -', file.replace('regional', 'another'));
    expect(taken).toMatchObject({ code: 1, errors: expect.stringContaining('is the id of regional') });
    const moved = await run('users import - --update', file.replace('user-of', 'user-from'));
    expect(moved).toMatchObject({
      code: 1,
      errors: expect.stringContaining('is not the id of regional'),
    });
    expect(await run('users import - --update', file)).toMatchObject({ code: 0 });
  });

  test('a user added with --password-stdin can sign in with the password and must change it', async () => {
    const words =
      'users add dana --first-name Dana --last-name Whitfield --email Dana@x.example --password-stdin';
    expect(await run(words, `${goodPassword}\n`)).toMatchObject({
      code: 0,
      output: 'added dana\n',
      errors: '',
    });
    expect(await find('DANA@X.EXAMPLE')).toMatchObject({
      userName: 'dana',
      mustChangePassword: true,
      status: 'active',
    });
    expect(await verify('dana', goodPassword)).toBe(true);
  });

  test.each([
    ['too short', 'sparrow'],
    ['from a breach', 'passwordpassword'],
    ['similar to the user name', 'strictly.named.user1'],
  ])('a password that is %s is refused, and no user is added', async (_what, password) => {
    const words = 'users add strictly.named.user --first-name A --last-name B --password-stdin';
    const refused = await run(words, password);
    expect(refused).toMatchObject({ code: 1, output: '' });
    expect(refused.errors).toMatch(/^password: \S/);
    expect(refused.errors).not.toContain(password);
    expect(await find('strictly.named.user')).toBeUndefined();
  });

  test('there is no --password option, because other processes could read it', async () => {
    const words = ['users', 'add', 'x', '--first-name', 'A', '--last-name', 'B', '--password', goodPassword];
    expect(await run(words)).toMatchObject({ code: 2 });
  });

  test('a user added without a password has a random password, and can be invited to choose a password', async () => {
    const { run: runOn, context } = commandLine();
    await runOn('users add later --first-name La --last-name Ter --email later@x.example');
    expect(await find('later')).toMatchObject({
      mustChangePassword: false,
      passwordHash: expect.stringMatching(/^\$argon2id/) as string,
    });
    expect(await runOn('users invite later --language de')).toMatchObject({
      code: 0,
      output: '1 invited by mail\n',
    });
    const mail = await store()
      .database.selectFrom('outbox')
      .selectAll()
      .where('recipient', '=', 'later@x.example')
      .executeTakeFirstOrThrow();
    const token = /#(\S+)/.exec(mail.text)?.[1] ?? '';
    expect(mail.text).toContain('culture=de');
    const services = await context.services();
    const links = createLinks({ ...services, keyRing: services.keys.oneTimeSecrets });
    expect(await links.find(token)).toBe((await find('later'))?.id);
  });

  test('invite reports users who cannot be invited, with the reason', async () => {
    await run(
      'users add elsewhere --first-name E --last-name W --email elsewhere@x.example --signs-in-elsewhere',
    );
    await run('users add mailless --first-name M --last-name L');
    await run('users add shut --first-name S --last-name H --email shut@x.example --disabled');
    const refused = await run('users invite elsewhere mailless shut nobody');
    expect(refused).toMatchObject({ code: 1, output: '0 invited by mail\n' });
    for (const reason of ['signs in elsewhere', 'no e-mail', 'disabled', 'there is no user nobody'])
      expect(refused.errors).toContain(reason);
    const imported = await run('users import - --invite', 'userName,firstName,lastName\nun-invited,A,B\n');
    expect(imported).toMatchObject({ code: 1, errors: 'line 2, email: is required for an invitation\n' });
    expect(await find('un-invited')).toBeUndefined();
  });

  test('import --invite sends invitations to the new users', async () => {
    const file = 'userName,firstName,lastName,email\ninvited-one,A,B,invited-one@x.example\n';
    expect(await run('users import - --invite --json', file)).toMatchObject({
      code: 0,
      output: '{"added":["invited-one"],"changed":[],"unchanged":[],"dryRun":false}\n{"invited":1}\n',
    });
  });

  test('user names and e-mails share one namespace: a sign-in name belongs to a single user', async () => {
    await run('users add owner --first-name O --last-name W --email owner@x.example');
    expect((await run('users add other --first-name O --last-name T --email OWNER@x.example')).errors).toBe(
      'email: is already a sign-in name of owner\n',
    );
    expect((await run('users add owner@x.example --first-name O --last-name T')).errors).toBe(
      'userName: is the e-mail of owner\n',
    );
    expect((await run('users add other --first-name O --last-name T --email owner')).code).toBe(1);
    expect(await find('other')).toBeUndefined();
  });

  test('one file can swap the e-mails of two users', async () => {
    await run(
      'users import -',
      'userName,firstName,lastName,email\nswap-a,A,A,swap-a@x.example\nswap-b,B,B,swap-b@x.example\n',
    );
    const swapped = await run(
      'users import - --update',
      'userName,email\nswap-a,swap-b@x.example\nswap-b,swap-a@x.example\n',
    );
    expect(swapped).toMatchObject({ code: 0, errors: '' });
    expect((await find('swap-b@x.example'))?.userName).toBe('swap-a');
    expect((await find('swap-a@x.example'))?.userName).toBe('swap-b');
  });

  test('an update keeps fields without a column, and clears fields with an empty cell', async () => {
    await run(
      'users import -',
      'userName;firstName;lastName;phoneNumber;boardsUserName\nkeep;K;P;+442079460142;kp\n',
    );
    const changed = await run(
      'users import - --update --json',
      'userName,lastName,boardsUserName,disabled\nkeep,Peep,,\n',
    );
    expect(changed.json()).toMatchObject([
      {
        changed: [
          {
            name: 'keep',
            changes: { lastName: { from: 'P', to: 'Peep' }, boardsUserName: { from: 'kp', to: null } },
          },
        ],
      },
    ]);
    expect(await find('keep')).toMatchObject({
      firstName: 'K',
      lastName: 'Peep',
      phoneNumber: '+442079460142',
      boardsUserName: 'keep',
    });
  });

  test('disable ends all sessions of the user; enable lets the user sign in again', async () => {
    const { run: runOn, context } = commandLine();
    await runOn('users add leaver --first-name L --last-name V');
    const { sessions } = await context.services();
    const { cookieValue } = await beginSession(sessions, (await find('leaver'))?.id ?? '');
    expect((await runOn('users disable leaver')).output).toBe('changed leaver: disabled false → true\n');
    expect((await sessions.find(cookieValue, { extend: false })).state).toBe('none');
    expect((await find('leaver'))?.status).toBe('disabled');
    expect((await runOn('users list --disabled --search leaver --json')).json()).toHaveLength(1);
    await runOn('users enable leaver');
    expect((await find('leaver'))?.status).toBe('active');
    expect(await runOn('users disable leaver nobody-there')).toMatchObject({
      code: 1,
      errors: 'userName: there is no user nobody-there\n',
    });
    expect((await find('leaver'))?.status).toBe('active');
  });

  test('a new e-mail invalidates sent links, and a new phone number forgets remembered computers', async () => {
    const { run: runOn, context, clock } = commandLine();
    await runOn(
      'users add mover --first-name M --last-name V --email mover@x.example --phone-number +442079460142',
    );
    const userId = (await find('mover'))?.id ?? '';
    await runOn('users invite mover');
    const expires = new Date(clock.now().getTime() + 1_000_000);
    const device = {
      token_hash: 'mover-device',
      user_id: userId,
      created_at: clock.now(),
      expires_at: expires,
    };
    await context.database.insertInto('remembered_devices').values(device).execute();
    const count = async (table: 'invitations' | 'remembered_devices') =>
      (await context.database.selectFrom(table).select('user_id').where('user_id', '=', userId).execute())
        .length;
    await runOn('users add mover --first-name Mo --update');
    expect([await count('invitations'), await count('remembered_devices')]).toEqual([1, 1]);
    await runOn('users add mover --email moved@x.example --update');
    expect([await count('invitations'), await count('remembered_devices')]).toEqual([0, 1]);
    await runOn('users add mover --phone-number +442079460143 --update');
    expect(await count('remembered_devices')).toBe(0);
  });

  test('signs-in-elsewhere deletes the password; no-signs-in-elsewhere sets a random password', async () => {
    await run('users add turner --first-name T --last-name N --password-stdin', goodPassword);
    await run('users add turner --signs-in-elsewhere --update');
    expect((await find('turner'))?.passwordHash).toBeUndefined();
    expect((await run('users set-password turner --password-stdin', goodPassword)).errors).toBe(
      'turner signs in elsewhere and has no password here\n',
    );
    expect((await run('users add turner --must-change-password --update')).errors).toBe(
      'mustChangePassword: there is no password to change\n',
    );
    await run('users add turner --no-signs-in-elsewhere --update');
    expect(await verify('turner', goodPassword)).toBe(false);
    expect((await find('turner'))?.passwordHash).toMatch(/^\$argon2id/);
  });

  test('set-password ends all sessions, applies the policies of all sites and rejects old passwords', async () => {
    const { run: runOn, context } = commandLine();
    const policy = '{"minimumLength":15,"minimumDigits":3}';
    await runOn(['sites', 'add', 'digits', '--display-name', 'Digits', '--password-policy', policy]);
    await runOn(
      'users add setter --first-name S --last-name T --email setter@x.example --password-stdin',
      goodPassword,
    );
    await runOn('members add setter digits');
    const { sessions } = await context.services();
    const { cookieValue } = await beginSession(sessions, (await find('setter'))?.id ?? '');

    const set = (password: string) => runOn('users set-password setter --password-stdin', password);
    expect((await set('two digits 58 are not enough')).errors).toMatch(/^password: /);
    expect((await sessions.find(cookieValue, { extend: false })).state).toBe('valid');
    expect(await set('three digits 583 are enough')).toMatchObject({
      code: 0,
      output: 'password of setter set\n',
    });
    expect((await sessions.find(cookieValue, { extend: false })).state).toBe('none');
    expect((await find('setter'))?.mustChangePassword).toBe(true);
    expect(await verify('setter', 'three digits 583 are enough')).toBe(true);
    await (await context.services()).settleMessages();
    const mails = await context.database
      .selectFrom('outbox')
      .select('kind')
      .where('recipient', '=', 'setter@x.example')
      .execute();
    expect(mails).toHaveLength(1);
    await runOn('users set-password setter --password-stdin --language de', 'another one with 999 digits');
    await (await context.services()).settleMessages();
    const [mail] = await context.database
      .selectFrom('outbox')
      .select('subject')
      .where('recipient', '=', 'setter@x.example')
      .orderBy('number', 'desc')
      .execute();
    expect(mail?.subject).toContain('Passwort');
    expect((await set('three digits 583 are enough')).code).toBe(1);
    expect((await runOn('users set-password setter')).code).toBe(2);
  });

  test('list filters by site, and shows neither password hashes nor control characters', async () => {
    const { run: runOn } = commandLine();
    await runOn('sites add listing --display-name Listing');
    await runOn('users import -', 'userName,firstName,lastName\nl-one,A,B\nl-two,\u001b[31mRed,\u202etxet\n');
    await runOn('members import -', 'userName,site\nl-one,listing\nl-two,listing\n');
    expect((await runOn('users list --site listing --json')).json()).toHaveLength(0);
    await runOn('users import -', 'userName,firstName,lastName\nl-one,A,B\nl-two,Tw\u202eo,C\n');
    await runOn('members import -', 'userName,site\nl-one,listing\nl-two,listing\n');
    const listed = await runOn('users list --site listing');
    expect(listed.output.split('\n')).toHaveLength(4);
    expect(listed.output).toContain('Tw\ufffdo');
    expect(listed.output).not.toContain('argon2');
  });

  test('list shows what the service sets, which an import of the list ignores', async () => {
    const { run: runOn } = commandLine();
    await runOn('users add dated --first-name D --last-name T');
    expect((await runOn('users list --search dated')).output).toContain('createdAt');
    const listed = await runOn('users list --search dated --json');
    expect(listed.json()).toMatchObject([
      { userName: 'dated', createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string },
    ]);
    expect((await runOn('users list --search dated --csv')).output).not.toContain('createdAt');
    expect((await runOn('users import -', listed.output)).output).toBe('unchanged dated\n');
  });
});

describe('a phone number', () => {
  test.each([
    ['+44 (20) 7946-0142', '+442079460142'],
    ['+442079460142', '+442079460142'],
    ['00442079460142', '+442079460142'],
    [' ', null],
  ])('%j is stored as %j', (given, stored) => {
    expect(users.parse({ userName: 'x', phoneNumber: given })).toMatchObject({
      entry: { phoneNumber: stored },
    });
  });

  test.each(['02079460142', '+0123456789', '+44abc'])('%j is invalid', (given) => {
    expect(users.parse({ userName: 'x', phoneNumber: given })).toMatchObject({
      problems: [{ column: 'phoneNumber' }],
    });
  });
});
