import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { startApplication } from '../../testing/application.ts';
import { serverIsThere } from '../../testing/describe-store.ts';
import { signIn } from '../../testing/journeys.ts';
import { runOnServer } from '../../testing/run-on-server.ts';
import { openDatabase } from './open-database.ts';

const limits = { poolSize: 2, statementTimeoutSeconds: 20, connectionTimeoutSeconds: 20 };

/** Creates a database, and drops it after the test. */
async function createDatabase(options: string, settings: readonly string[] = []): Promise<string> {
  const name = `settings_${randomBytes(6).toString('hex')}`;
  const server = inject('testDatabaseUrl');
  await runOnServer(server, `create database ${name} ${options}`);
  onTestFinished(async () => void (await runOnServer(server, `drop database ${name} with (force)`)));
  for (const setting of settings) await runOnServer(server, `alter database ${name} set ${setting}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

const open = (url: string) =>
  openDatabase({ kind: 'server', urls: [url], ...limits }, pino({ level: 'silent' }));

describe.runIf(serverIsThere())('a database', () => {
  test.each(['SQL_ASCII', 'LATIN1', 'EUC_JP'])(
    'with the encoding %s is refused with the reason',
    async (encoding) => {
      const locale = "template template0 lc_collate 'C' lc_ctype 'C'";
      const url = await createDatabase(`encoding '${encoding}' ${locale}`);
      await expect(open(url)).rejects.toThrow(
        `The database has the encoding ${encoding}, which cannot store every name. Create it with --encoding UTF8 --template template0.`,
      );
    },
  );

  test.each([
    ["datestyle = 'German'", "lc_messages = 'C'"],
    ["datestyle = 'SQL, DMY'", "intervalstyle = 'iso_8601'"],
    ["timezone = 'Pacific/Kiritimati'", "bytea_output = 'escape'"],
    ['standard_conforming_strings = off', 'backslash_quote = on'],
    ["default_transaction_isolation = 'serializable'", 'transform_null_equals = on'],
    ["search_path = ''", 'lock_timeout = 1', 'extra_float_digits = -15'],
    ['array_nulls = off', "idle_in_transaction_session_timeout = '1ms'"],
    ["client_encoding = 'LATIN1'", "statement_timeout = '1ms'"],
  ])('can have the setting %s and %s', async (...settings) => {
    const url = await createDatabase("encoding 'UTF8' template template0", settings);
    const { database, close } = await open(url);
    onTestFinished(close);
    const application = await startApplication(database);
    onTestFinished(() => application.close());
    expect((await signIn(application.openBrowser())).code).not.toBe('');
    expect(await application.checkReadiness()).toMatchObject({ ready: true });
    const { rows } = await sql<{
      at: Date;
      bytes: Buffer;
      text: string;
      share: number;
      none: boolean | null;
    }>`
      select '2026-02-03 04:05:06.789+00'::timestamptz as at, '\\x01ff'::bytea as bytes, 'ž\\n' as text,
        0.1::float8 + 0.2::float8 as share, ${null}::text = null as none`.execute(database);
    expect(rows).toEqual([
      {
        at: new Date('2026-02-03T04:05:06.789Z'),
        bytes: Buffer.from([1, 255]),
        text: 'ž\\n',
        share: 0.1 + 0.2,
        none: null,
      },
    ]);
  });
});
