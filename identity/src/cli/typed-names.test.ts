import { expect, test } from 'vitest';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { findUserByName } from '../users/users-store.ts';

describeStore('names that operators type or import', (store) => {
  const run = (...given: Parameters<ReturnType<typeof createCommandLine>['run']>) =>
    createCommandLine(store()).run(...given);
  const add = (userName: string, email: string) =>
    run(['users', 'add', userName, '--first-name', 'Eva', '--last-name', 'Holm', '--email', email]);
  const find = async (name: string) => (await findUserByName(store().database, name))?.userName;

  test.each([
    ['eva\u200B', 'eva1@corp.example', 'userName', 'U+200B'],
    ['eva\u00AD2', 'eva2@corp.example', 'userName', 'U+00AD'],
    ['eva\u00A0holm', 'eva3@corp.example', 'userName', 'U+00A0'],
    ['eva4', 'eva4@corp\u2060.example', 'email', 'U+2060'],
    ['eva5', 'eva5\u2069@corp.example', 'email', 'U+2069'],
    ['eva6', 'eva6\uFE0F@corp.example', 'email', 'U+FE0F'],
  ])(
    'a user name or e-mail with an invisible character is refused: %j, %j',
    async (userName, email, column, code) => {
      const errors = `${column}: must not contain the invisible character ${code}\n`;
      expect(await add(userName, email)).toMatchObject({ code: 1, errors });
      const file = `userName,firstName,lastName,email\n${userName},Eva,Holm,${email}\n`;
      expect((await run('users import -', file)).errors).toContain(`line 2, ${errors}`);
    },
  );

  test('the name of a site with an invisible character is refused', async () => {
    const refused = await run(['sites', 'add', 'fog\u200Eharbor', '--display-name', 'Fog']);
    expect(refused.errors).toBe('name: must not contain the invisible character U+200E\n');
  });

  test('two spellings of an address are one name', async () => {
    await add('erika', 'erika@münchen.example');
    for (const spelling of ['erika@xn--mnchen-3ya.example', 'Erika@MÜNCHEN.example'])
      expect((await add('erika2', spelling)).errors).toBe('email: is already a sign-in name of erika\n');
    expect(await find('ERİKA@xn--mnchen-3ya.example')).toBe('erika');
    expect(await find('\u2068erika@münchen.example\u2069')).toBe('erika');
    const file = 'userName,firstName,lastName\nx@corp.example,X,Y\nX@corp.example\u200C,X,Y\n';
    expect((await run('users import -', file)).code).toBe(1);
  });

  test('commands find users and sites by pasted names', async () => {
    await run('sites add alpine --display-name Alpine');
    await add('otto', 'otto@corp.example');
    expect(await run(['members', 'add', 'mailto:otto@corp.example', '\u200Ealpine\u200B'])).toMatchObject({
      code: 0,
    });
    expect((await run(['members', 'list', '--site', 'alpine\u2060', '--json'])).json()).toHaveLength(1);
    expect(
      (await run(['members', 'list', '--user', 'Otto <otto@corp.example>', '--json'])).json(),
    ).toHaveLength(1);
    expect((await run(['users', 'list', '--site', 'al\u00ADpine', '--json'])).json()).toHaveLength(1);
    expect(await run(['audit', 'list', '--user', '\u202Aotto@corp.example\u202C'])).toMatchObject({
      code: 0,
    });
  });

  test('a new e-mail replaces the earlier one in each spelling', async () => {
    await add('greta', 'greta@zürich.example');
    await run('users update greta --email greta@corp.example');
    expect(await find('greta@zürich.example')).toBeUndefined();
    expect(await add('greta2', 'greta@xn--zrich-kva.example')).toMatchObject({ code: 0 });
  });

  test('a domain of a connection has one form, and is shown in Unicode', async () => {
    const connect = (name: string, domain: string) =>
      run([
        ...`connections add ${name} --display-name C --kind openid --issuer https://login.example --client-id c --public-client`.split(
          ' ',
        ),
        '--domains',
        domain,
      ]);
    expect(await connect('munich', '\u200Exn--mnchen-3ya.example')).toMatchObject({ code: 0, errors: '' });
    expect((await run('connections show munich --json')).json()).toMatchObject([
      { domains: ['münchen.example'] },
    ]);
    expect((await connect('other', 'MÜNCHEN.example')).errors).toContain(
      'münchen.example is a domain of munich',
    );
    const rows = await store().database.selectFrom('connection_domains').select('domain').execute();
    expect(rows).toEqual([{ domain: 'xn--mnchen-3ya.example' }]);
  });
});
