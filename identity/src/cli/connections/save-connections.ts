import { secureRandom } from '../../lib/random.ts';
import { sealClientSecret } from '../../enterprise/connections-store.ts';
import type { Services } from '../../services.ts';
import type { DatabaseTransaction } from '../../store/schema.ts';
import type { Config } from '../../config.ts';
import type { Outcome, PlanOptions, Row, WriteOptions } from '../noun.ts';
import type { Problems } from '../problems.ts';
import { endSessions } from '../../openid/end-sessions.ts';
import { noteEnded } from '../sessions/note-ended.ts';
import { planEntries } from '../plan-entries.ts';
import type { EntryToWrite } from '../plan-entries.ts';
import { blankConnection } from './connection-entry.ts';
import type { ConnectionEntry } from './connection-entry.ts';
import { findFaultsOfConnection, toSettings } from './connection-settings.ts';
import { findConnections } from './present-connections.ts';
import type { PresentConnection } from './present-connections.ts';

export type ConnectionsPlan = {
  outcome: Outcome;
  entries: EntryToWrite<ConnectionEntry, PresentConnection>[];
};

/** `secret`: a client's new secret; null takes it away, undefined leaves it. */
export type ConnectionsPrepared = { services: Pick<Services, 'keys'>; secret: string | null | undefined };

export function planConnections(config: Pick<Config, 'production'>, secret: ConnectionsPrepared['secret']) {
  return async (
    transaction: DatabaseTransaction,
    rows: readonly Row<ConnectionEntry>[],
    options: PlanOptions,
  ): Promise<ConnectionsPlan> => {
    const present = await findConnections(transaction);
    const description = {
      singular: 'connection',
      key: 'name',
      blank: blankConnection,
      needed: ['displayName', 'kind', 'issuer'],
    } as const;
    const plan = planEntries(
      rows,
      description,
      present,
      (entry) => findFaultsOfConnection(entry, config),
      options,
    );
    if (secret !== undefined) noteNewSecret(plan, rows, present, secret);
    for (const { entry, present: known } of plan.entries) {
      if (known !== undefined && known.entry.kind !== entry.kind)
        options.problems.add({
          line: undefined,
          column: 'kind',
          reason: 'cannot be changed: add another connection',
        });
      await requireFree(transaction, entry, present, options.problems);
    }
    return plan;
  };
}

/** A secret is no field: what is told of it is that there is another, or none. */
function noteNewSecret(
  { outcome, entries }: ConnectionsPlan,
  rows: readonly Row<ConnectionEntry>[],
  present: ReadonlyMap<string, PresentConnection>,
  secret: string | null,
): void {
  for (const { entry } of rows) {
    const known = present.get(entry.name);
    if (known === undefined) continue;
    const from = known.row.secret_sealed === null ? null : 'sealed';
    const changes = { secret: { from, to: secret === null ? null : 'another, sealed' } };
    const changed = outcome.changed.find(({ name }) => name === entry.name);
    if (changed !== undefined) Object.assign(changed.changes, changes);
    if (!outcome.left.includes(entry.name) || from === changes.secret.to) continue;
    outcome.left = outcome.left.filter((name) => name !== entry.name);
    outcome.changed.push({ name: entry.name, changes });
    entries.push({ present: known, entry: known.entry });
  }
}

/** One domain is one organisation's, and a site signs its people in over one connection. */
async function requireFree(
  transaction: DatabaseTransaction,
  entry: Required<ConnectionEntry>,
  present: ReadonlyMap<string, PresentConnection>,
  problems: Problems,
): Promise<void> {
  const others = [...present.values()].filter((other) => other.entry.name !== entry.name);
  for (const domain of entry.domains ?? []) {
    const owner = others.find((other) => (other.entry.domains ?? []).includes(domain));
    if (owner !== undefined)
      problems.add({ column: 'domains', reason: `${domain} is a domain of ${owner.entry.name}` });
  }
  const wanted = entry.sites ?? [];
  if (wanted.length === 0) return;
  const sites = await transaction.selectFrom('sites').select('name').where('name', 'in', wanted).execute();
  const known = new Set(sites.map(({ name }) => name));
  for (const site of wanted) {
    const owner = others.find((other) => (other.entry.sites ?? []).includes(site));
    if (!known.has(site)) problems.add({ column: 'sites', reason: `there is no site ${site}` });
    if (owner !== undefined)
      problems.add({ column: 'sites', reason: `${site} has the connection ${owner.entry.name}` });
  }
}

export async function writeConnections(
  transaction: DatabaseTransaction,
  { entries }: ConnectionsPlan,
  { services, secret }: ConnectionsPrepared,
  { now, onWritten }: WriteOptions,
): Promise<void> {
  for (const { present, entry } of entries) {
    const id = present?.row.id ?? secureRandom.token(16);
    const sealed =
      typeof secret === 'string' ? sealClientSecret(services.keys, secureRandom, id, secret) : secret;
    const row = {
      display_name: entry.displayName ?? '',
      kind: entry.kind ?? ('saml' as const),
      settings: JSON.stringify(toSettings(entry)),
      provisioning: entry.justInTime === true ? ('just_in_time' as const) : ('none' as const),
      disabled_at: entry.disabled === true ? (present?.row.disabled_at ?? now) : null,
      updated_at: now,
      ...(sealed !== undefined && { secret_sealed: sealed }),
    };
    await transaction
      .insertInto('connections')
      .values({ id, name: entry.name, ...row, created_at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    await writeDomains(transaction, id, entry.domains ?? []);
    await writeSites(transaction, id, entry.sites ?? []);
    if (entry.disabled === true && present?.row.disabled_at === null)
      await noteEnded(transaction, now, await endSessions(transaction, { connectionId: id }, now));
    await onWritten(1);
  }
}

async function writeDomains(
  transaction: DatabaseTransaction,
  id: string,
  domains: readonly string[],
): Promise<void> {
  await transaction.deleteFrom('connection_domains').where('connection_id', '=', id).execute();
  if (domains.length === 0) return;
  await transaction
    .insertInto('connection_domains')
    .values(domains.map((domain) => ({ domain, connection_id: id })))
    .execute();
}

async function writeSites(
  transaction: DatabaseTransaction,
  id: string,
  sites: readonly string[],
): Promise<void> {
  await transaction
    .updateTable('sites')
    .set({ connection_id: null })
    .where('connection_id', '=', id)
    .execute();
  if (sites.length === 0) return;
  await transaction.updateTable('sites').set({ connection_id: id }).where('name', 'in', sites).execute();
}
