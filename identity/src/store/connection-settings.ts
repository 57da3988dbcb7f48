import type { PostgresPoolClient } from 'kysely';

// PostgreSQL settings of a database or a role can change what SQL returns, so each connection sets those that the
// service depends on.

/** The server reports changes of these settings, so that PgBouncer keeps them for its client in transaction mode. */
const reported = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
} as const;

/** Behind a pooler, the next statement can run on a connection without these settings. */
const unreported = {
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  extra_float_digits: '1',
  lock_timeout: '0',
  transform_null_equals: 'off',
} as const;

/** The service cannot use the database as it is; the message is for the operator. */
export class DatabaseSettingError extends Error {
  override readonly name = 'DatabaseSettingError';
}

const setting = (name: string, value: string): string => `set_config('${name}', '${value}', false)`;
const settingsOf = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => setting(name, value))
    .join(', ');

const readAndSet = `select pg_backend_pid() as pid, current_setting('transaction_read_only') as "readOnly",
  current_setting('server_encoding') as encoding, current_schema() as schema,
  json_build_object(${Object.keys(unreported)
    .map((name) => `'${name}', current_setting('${name}')`)
    .join(', ')}) as present, ${settingsOf(reported)}`;

const setOthers = `select ${settingsOf(unreported)},
  set_config('search_path', quote_ident(coalesce(current_schema(), 'public')), false)`;

type Row = {
  pid: number;
  readOnly: string;
  encoding: string;
  schema: string | null;
  present: Record<string, string>;
};

/**
 * Sets a new connection up. `isOwnProcess`: whether a process of the server belongs to the connection; behind a pooler,
 * each transaction may use another one.
 * @throws DatabaseSettingError if the database is not UTF-8, or a setting cannot be changed behind a pooler
 */
export async function setUpConnection(
  lent: PostgresPoolClient,
  isOwnProcess: (pid: number) => boolean,
): Promise<{ isOwnProcess: boolean; isReadOnly: boolean }> {
  const { rows } = await lent.query<Row>(readAndSet, []);
  const [row] = rows;
  if (row === undefined) throw new Error('The database has returned no settings');
  if (row.encoding !== 'UTF8')
    throw new DatabaseSettingError(
      `The database has the encoding ${row.encoding}, which cannot store every name. Create it with --encoding UTF8 --template template0.`,
    );
  const isOwn = isOwnProcess(row.pid);
  if (isOwn) await lent.query(setOthers, []);
  else refuseOtherSettings(row);
  return { isOwnProcess: isOwn, isReadOnly: row.readOnly === 'on' };
}

function refuseOtherSettings({ schema, present }: Row): void {
  const different = Object.entries(unreported).filter(([name, value]) => present[name] !== value);
  const reasons = [
    ...different.map(([name, value]) => `${name} must be '${value}', and is '${present[name]}'`),
    ...(schema === null ? ['search_path must name a schema that exists'] : []),
  ];
  if (reasons.length > 0)
    throw new DatabaseSettingError(
      `Behind a connection pooler, the database or its role must have other settings: ${reasons.join('; ')}.`,
    );
}
