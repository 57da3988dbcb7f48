import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServerTestDatabase, serverIsThere } from '../../testing/describe-store.ts';
import { until } from '../../testing/until.ts';

// Runs the real binary with the embedded database.

const binary = fileURLToPath(new URL('../../bin/anteroom.mjs', import.meta.url));
let made: string;
/** The result of the command that created the database. The other tests copy that database. */
let first: Awaited<ReturnType<typeof run>>;

type Run = {
  output: () => string;
  errors: () => string;
  /** Resolves once the output contains the text, after the text of the previous call. */
  saw: (text: string) => Promise<void>;
  type: (keys: string) => void;
  end: () => void;
  process: ReturnType<typeof spawn>;
  ended: Promise<number | NodeJS.Signals | null>;
};

function start(program: string, words: readonly string[], env: Record<string, string>): Run {
  const child = spawn(program, words, {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ARGON2_MEMORY_KIB: '8',
      ...env,
    },
    cwd: made,
  });
  const said = { output: '', errors: '' };
  const waiting = new Set<() => void>();
  let seen = 0;
  for (const [name, stream] of [
    ['output', child.stdout],
    ['errors', child.stderr],
  ] as const) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      for (const look of waiting) look();
    });
  }
  const ended = once(child, 'close').then(
    ([code, signal]) => (code ?? signal) as number | NodeJS.Signals | null,
  );
  return {
    process: child,
    output: () => said.output,
    errors: () => said.errors,
    type: (keys) => void child.stdin.write(keys),
    end: () => child.stdin.end(),
    ended,
    saw: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = said.output.indexOf(text, seen);
          if (found === -1) return;
          seen = found + text.length;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void ended.then((code) =>
          reject(new Error(`ended with ${code} before "${text}": ${said.output}${said.errors}`)),
        );
      }),
  };
}

async function run(words: readonly string[], env: Record<string, string>, input = '') {
  const started = start(process.execPath, [binary, ...words], env);
  started.type(input);
  started.end();
  const code = await started.ended;
  return { code, output: started.output(), errors: started.errors() };
}

/** Copies the data directory of the first command, because creating a database takes longer. */
function copyOfData(): Record<string, string> {
  const directory = mkdtempSync(join(made, 'copy-'));
  cpSync(join(made, 'data'), directory, { recursive: true });
  return { DATA_DIR: directory };
}

beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'anteroom-cli-'));
  first = await run(['sites', 'add', 'harbor', '--display-name', 'Harbor'], {
    DATA_DIR: join(made, 'data'),
  });
});

afterAll(() => rmSync(made, { recursive: true, force: true }));

describe('npx anteroom', () => {
  test('creates a missing database and reports it', () => {
    expect(first).toMatchObject({ code: 0, output: 'added harbor\n' });
    expect(first.errors).toContain('a new one was created');
  });

  test('a read-only command creates no database, and names the missing setting', async () => {
    const DATA_DIR = join(made, 'nowhere');
    const { code, errors } = await run(['audit', 'list'], { DATA_DIR });
    expect(code).toBe(1);
    expect(errors).toMatch(/There is no database in .*nowhere[\s\S]*DATABASE_URL/);
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  test('--help lists the commands and exits with 0', async () => {
    const help = await run(['--help'], {});
    expect(help.code).toBe(0);
    for (const command of ['sites', 'users', 'members']) expect(help.output).toContain(command);
  });

  test('check checks an installation without starting the service', async () => {
    const checked = await run(['check'], copyOfData());
    expect(checked).toMatchObject({ code: 0, errors: '' });
    for (const name of ['settings', 'keys', 'database', 'proxies', 'TLS of PUBLIC_URL', 'mail', 'SMS'])
      expect(checked.output).toMatch(new RegExp(`^yes +${name}`, 'm'));
    const production = await run(['check', '--json'], { ...copyOfData(), NODE_ENV: 'production' });
    expect(production.code).toBe(1);
    expect(production.output).toContain('SECRETS: must be set in production');
  });

  test('exits with 2 for invalid usage', async () => {
    expect(await run(['sites', 'rename'], {})).toMatchObject({ code: 2, output: '' });
  });

  test('exits with 1 and the reasons if the command or the settings are refused', async () => {
    const data = copyOfData();
    expect(await run(['sites', 'disable', 'nowhere'], data)).toEqual({
      code: 1,
      output: '',
      errors: 'name: there is no site nowhere\n',
    });
    const settings = await run(['sites', 'list'], { PORT: '99999', LOG_LEVEL: 'loud' });
    expect(settings.code).toBe(1);
    expect(settings.errors).toMatch(/PORT: [\s\S]*LOG_LEVEL: /);
    const production = await run(['sites', 'list'], { NODE_ENV: 'production' });
    expect(production.errors).toContain('DATABASE_URL: must be set in production');
    const reading = { ...copyOfData(), NODE_ENV: 'production' };
    expect((await run(['sites', 'list'], reading)).code).toBe(0);
    const writing = await run(['keys', 'list'], reading);
    expect(writing.code).toBe(1);
    expect(writing.errors).toContain('SECRETS: must be set in production');
    const away = await run(['sites', 'list'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    expect(away).toMatchObject({ code: 1, output: '' });
    expect(away.errors).toContain('nothing accepts connections there (ECONNREFUSED)');
  });

  test('resolves files from the current folder, and does not prompt without a terminal', async () => {
    writeFileSync(join(made, 'users.csv'), 'userName,firstName,lastName\ndana,Dana,Whitfield\n');
    const data = copyOfData();
    expect(await run(['users', 'import', 'users.csv'], data)).toEqual({
      code: 0,
      output: 'added dana\n',
      errors: '',
    });
    expect(await run(['users', 'import', 'nowhere.csv'], data)).toMatchObject({ code: 1 });
    expect(await run(['users', 'add', 'x'], data)).toMatchObject({
      code: 2,
      errors: 'error: --first-name, --last-name are required (--help shows more)\n',
    });
  });

  test('cannot open the embedded database while the service uses it, and suggests what to do', async () => {
    const data = copyOfData();
    const holder = start(
      process.execPath,
      [
        fileURLToPath(new URL('../../testing/hold-directory.ts', import.meta.url)),
        data['DATA_DIR'] ?? '',
        'held',
      ],
      {},
    );
    await holder.saw('holding');
    const refused = await run(['sites', 'list'], data);
    holder.process.kill('SIGKILL');
    expect(refused).toMatchObject({ code: 1, output: '' });
    expect(refused.errors).toContain(
      'Stop the service and run this command again, or use a PostgreSQL server for both (DATABASE_URL).',
    );
  });

  test('exits without an error when the reader closes the pipe', async () => {
    const shell = start(
      'sh',
      ['-c', `"${process.execPath}" "${binary}" sites list --json | true; echo done`],
      copyOfData(),
    );
    shell.end();
    await shell.ended;
    expect(shell.output()).toBe('done\n');
    expect(shell.errors()).toBe('');
  });
});

describe('at a terminal', () => {
  /** Runs the command on a pseudo-terminal. */
  function startAtTerminal(words: string, env: Record<string, string>): Run {
    return start('script', ['-qec', `exec "${process.execPath}" "${binary}" ${words}`, '/dev/null'], {
      TERM: 'xterm',
      ...env,
    });
  }

  test('the command prompts for missing values, and hides a typed password', async () => {
    const data = copyOfData();
    const password = 'copper lantern 58 drifting';
    const asked = startAtTerminal('users add', data);
    await asked.saw('userName');
    asked.type('sam\r');
    await asked.saw('firstName');
    asked.type('\r');
    await asked.saw('must not be empty');
    asked.type('Samira\r');
    await asked.saw('lastName');
    asked.type('Okafor\r');
    await asked.saw('How does the user get a password?');
    asked.type('\r');
    await asked.saw('New password');
    asked.type('short\r');
    await asked.saw('Repeat the password');
    asked.type('short\r');
    await asked.saw('at least 15 characters');
    await asked.saw('New password');
    asked.type(`${password}\r`);
    await asked.saw('Repeat the password');
    asked.type(`${password}\r`);
    await asked.saw('added sam');
    expect(await asked.ended).toBe(0);
    expect(asked.output()).not.toContain('copper');
    const listed = await run(['users', 'list', '--json'], data);
    expect(listed.output).toContain('"userName":"sam","firstName":"Samira"');
    expect(listed.output).toContain('"mustChangePassword":true');
  });

  test('cancelling a prompt writes nothing', async () => {
    const data = copyOfData();
    const asked = startAtTerminal('sites add', data);
    await asked.saw('name (');
    asked.type('\u0003');
    expect(await asked.ended).toBe(1);
    expect(asked.output()).toContain('Cancelled: nothing was written.');
    const silent = startAtTerminal('sites add --no-input', data);
    expect(await silent.ended).toBe(2);
  });

  test('an import shows a progress bar, without colours if NO_COLOR is set', async () => {
    writeFileSync(
      join(made, 'sites.csv'),
      `name,displayName\n${Array.from({ length: 2000 }, (_, index) => `bar-${index},Bar`).join('\n')}\n`,
    );
    const shown = startAtTerminal('sites import sites.csv', { ...copyOfData(), NO_COLOR: '1' });
    expect(await shown.ended).toBe(0);
    expect(shown.output()).toContain('Writing');
    expect(shown.output()).toContain('sites: 2000 added');
    // ANSI colour codes: ESC [ … m
    expect(shown.output()).not.toMatch(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`));
  });
});

describe('kill -9 during an import writes nothing', () => {
  const file = `userName,firstName,lastName\n${Array.from({ length: 10_000 }, (_, index) => `killed-${index},F,L`).join('\n')}\n`;

  test('on the embedded database', async () => {
    const data = copyOfData();
    writeFileSync(join(made, 'killed.csv'), file);
    const main = fileURLToPath(new URL('./main.ts', import.meta.url));
    const command = `echo "pid $$"; exec "${process.execPath}" "${main}" users import killed.csv`;
    const importing = start('script', ['-qec', command, '/dev/null'], {
      TERM: 'xterm',
      INIT_CWD: made,
      ...data,
    });
    await importing.saw('Writing');
    process.kill(Number(/pid (\d+)/.exec(importing.output())?.[1]), 'SIGKILL');
    await importing.ended;
    expect(importing.output()).not.toContain('added');
    expect((await run(['users', 'list', '--json', '--limit', '1'], data)).output).toBe('');
    expect((await run(['sites', 'list', '--json'], data)).output).toContain('harbor');
  });

  test('on PostgreSQL, while it waits for a transaction that writes one of the names', async ({ skip }) => {
    skip(!serverIsThere(), 'no PostgreSQL server answers');
    const { database, url, close } = await openServerTestDatabase();
    try {
      const env = { DATABASE_URL: url, DATABASE_STATEMENT_TIMEOUT_SECONDS: '60' };
      await database
        .transaction()
        .execute(async (transaction) => {
          const now = new Date();
          const other = {
            id: 'other',
            user_name: 'other',
            first_name: 'O',
            last_name: 'O',
            created_at: now,
            updated_at: now,
          };
          await transaction.insertInto('users').values(other).execute();
          await transaction
            .insertInto('sign_in_names')
            .values({ name_key: 'killed-9999', user_id: 'other' })
            .execute();
          const backend = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
          const importing = start(
            process.execPath,
            [binary.replace('bin/anteroom.mjs', 'src/cli/main.ts'), 'users', 'import', '-'],
            env,
          );
          importing.type(file);
          importing.end();
          await until(async () => {
            const waiting = await sql`
                select 1 from pg_stat_activity where ${backend.rows[0]?.pid} = any(pg_blocking_pids(pid))
              `.execute(database);
            return waiting.rows.length > 0;
          });
          importing.process.kill('SIGKILL');
          await importing.ended;
          throw new Error('roll back');
        })
        .catch((error: unknown) => expect(String(error)).toContain('roll back'));
      const left = await database.selectFrom('users').select('id').limit(1).execute();
      expect(left).toEqual([]);
    } finally {
      await close();
    }
  });
});
