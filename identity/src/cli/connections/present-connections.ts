import type { Selectable } from 'kysely';
import * as v from 'valibot';
import { openidSettings, samlSettings } from '../../enterprise/connection.ts';
import type { ConnectionsTable } from '../../store/company-tables.ts';
import type { Database } from '../../store/schema.ts';
import { blankConnection } from './connection-entry.ts';
import type { ConnectionEntry } from './connection-entry.ts';

type ConnectionRow = Selectable<ConnectionsTable>;

/** A connection as it is kept, said as an entry says it. */
export type PresentConnection = { entry: Required<ConnectionEntry>; row: ConnectionRow };

export const connectionFilters = {
  kind: { flags: '--kind <kind>', help: 'saml or openid' },
  disabled: { flags: '--disabled', help: 'disabled ones alone (--no-disabled: without them)' },
};

/** All of them: an installation has some dozens. */
export async function findConnections(database: Database): Promise<Map<string, PresentConnection>> {
  const rows = await database.selectFrom('connections').selectAll().orderBy('name').execute();
  const domains = await database
    .selectFrom('connection_domains')
    .select(['connection_id', 'domain as word'])
    .orderBy('domain')
    .execute();
  const sites = await database
    .selectFrom('sites')
    .select(['connection_id', 'name as word'])
    .where('connection_id', 'is not', null)
    .orderBy('name')
    .execute();
  const wordsOf = (words: readonly { connection_id: string | null; word: string }[], id: string): string[] =>
    words.filter((one) => one.connection_id === id).map(({ word }) => word);
  return new Map(
    rows.map((row) => [
      row.name,
      { row, entry: toEntry(row, { domains: wordsOf(domains, row.id), sites: wordsOf(sites, row.id) }) },
    ]),
  );
}

export async function* listConnections(
  database: Database,
  { kind, disabled, after, limit }: Readonly<Record<string, string | boolean | undefined>>,
): AsyncGenerator<ConnectionEntry> {
  let left = limit === undefined ? Infinity : Number(limit);
  for (const { entry } of (await findConnections(database)).values()) {
    const isWanted =
      (typeof kind !== 'string' || entry.kind === kind) &&
      (disabled === undefined || entry.disabled === disabled) &&
      (typeof after !== 'string' || entry.name > after);
    if (!isWanted) continue;
    if (left === 0) return;
    left -= 1;
    yield entry;
  }
}

function toEntry(
  row: ConnectionRow,
  { domains, sites }: { domains: string[]; sites: string[] },
): Required<ConnectionEntry> {
  const settings = v.parse(row.kind === 'saml' ? samlSettings : openidSettings, row.settings);
  return {
    ...blankConnection,
    ...settings,
    name: row.name,
    displayName: row.display_name,
    kind: row.kind,
    justInTime: row.provisioning === 'just_in_time',
    domains,
    sites,
    disabled: row.disabled_at !== null,
  };
}
