import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';

const lineCount = 10_000;

function usersFile(prefix: string, { lastName = 'User', lines = lineCount } = {}): string {
  const rows = Array.from(
    { length: lines },
    (_, index) =>
      `${prefix}${index};First ${index};${lastName};${prefix}${index}@x.example;+4420794${String(index).padStart(5, '0')}`,
  );
  return `\ufeffuserName;firstName;lastName;email;phoneNumber\r\n${rows.join('\r\n')}\r\n`;
}

describeStore('an import of 10,000 users', (store) => {
  const run = (...given: Parameters<ReturnType<typeof createCommandLine>['run']>) =>
    createCommandLine(store()).run(...given);

  async function countUsers(prefix: string): Promise<number> {
    const { database } = store();
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from users
      join sign_in_names on user_id = users.id and name_key like '%@x.example'
      join credentials on credentials.user_id = users.id
      where user_name like ${`${prefix}%`}`.execute(database);
    return rows[0]?.count ?? 0;
  }

  test('adds all users, leaves identical users unchanged and updates users that differ', async () => {
    expect(await run('users import - --json', usersFile('many'))).toMatchObject({ code: 0, errors: '' });
    expect(await countUsers('many')).toBe(lineCount);
    expect((await run('users import -', usersFile('many'))).output).toBe(
      'users: 0 added, 0 changed, 10000 unchanged\n',
    );
    const changed = await run('users import - --update', usersFile('many', { lastName: 'Changed' }));
    expect(changed.output).toBe('users: 0 added, 10000 changed, 0 unchanged\n');
    const listed = await run('users list --search many --json');
    expect(listed.json()).toHaveLength(lineCount);
    expect(new Set(listed.json().map(({ userName }) => userName)).size).toBe(lineCount);
    expect(listed.json().every(({ lastName }) => lastName === 'Changed')).toBe(true);
  });

  test('gathers the statistics of the tables that it fills', async () => {
    await run('users import -', usersFile('counted', { lines: 1_000 }));
    const { rows } = await sql<{ relname: string }>`select relname from pg_class where relnamespace =
      current_schema()::regnamespace and relname in ('users', 'sign_in_names', 'credentials') and reltuples >= 1000`.execute(
      store().database,
    );
    expect(rows).toHaveLength(3);
  });

  test('adds no user if the last line is invalid or conflicts with stored data', async () => {
    await run('users add taken --first-name T --last-name K --email taken@x.example');
    for (const [line, reason] of [
      ['none-x;F;L;no address;', 'line 10002, email: must be an e-mail address\n'],
      ['none-x;F;L;taken@x.example;', 'line 10002, email: is already a sign-in name of taken\n'],
    ] as const) {
      const refused = await run('users import -', `${usersFile('none')}${line}\r\n`);
      expect(refused).toMatchObject({ code: 1, output: '', errors: reason });
      expect(await countUsers('none')).toBe(0);
    }
  });

  test('reports invalid lines and conflicts with stored data together', async () => {
    await run('users add there --first-name T --last-name H');
    const file = 'userName,firstName,lastName,email\nthere,Other,H,\nnew,N,W,nonsense\n,X,Y,\n';
    const refused = await run('users import -', file);
    expect(refused.errors).toBe(
      [
        'line 2, userName: there is a user there already (--update changes it)',
        'line 3, email: must be an e-mail address',
        'line 4, userName: must not be empty',
        '3 problems: nothing was written.',
        '',
      ].join('\n'),
    );
  });
});
