import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import * as v from 'valibot';
import type { Log } from '../../lib/log.ts';
import type { Config } from '../../config/config.ts';
import { addSeconds } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ConnectionsTable } from '../../store/company-tables.ts';
import type { Database } from '../../store/schema.ts';
import { samlSettings } from '../connection.ts';
import type { SamlSettings } from '../connection.ts';
import { createOutgoingFetch } from '../openid/outgoing.ts';
import { parseCertificates } from './certificates.ts';
import { MetadataRefusal, fetchMetadata } from './provider-metadata.ts';
import type { ProviderMetadata } from './provider-metadata.ts';
import { SamlRefusal } from './refusal.ts';

const readIntervalSeconds = 24 * 60 * 60;

/** The event for the audit log. */
export type MetadataEvent = {
  event: 'connection.refresh';
  result: 'success' | 'failure';
  connection: string;
  reason?: string;
  details?: { fields: string };
};

type Needed = {
  database: Database;
  clock: Clock;
  log: Log;
  note: (event: MetadataEvent) => void;
  config: Pick<Config, 'external' | 'production'>;
};
type Row = Pick<Selectable<ConnectionsTable>, 'id' | 'name' | 'settings' | 'updated_at'>;

/**
 * Reads the metadata of every SAML connection that has a metadata URL, unless it was read within the last day. If it is
 * unavailable or unusable, the connection keeps its last good copy and the next run retries.
 */
export async function refreshMetadata(services: Needed): Promise<{ read: number; refused: number }> {
  const { database, clock, note, log } = services;
  const due = await database
    .selectFrom('connections')
    .select(['id', 'name', 'settings', 'updated_at'])
    .where('kind', '=', 'saml')
    .where('disabled_at', 'is', null)
    .where(sql<boolean>`settings ->> 'metadataUrl' is not null`)
    .where((expression) =>
      expression.or([
        expression('metadata_read_at', 'is', null),
        expression('metadata_read_at', '<=', addSeconds(clock.now(), -readIntervalSeconds)),
      ]),
    )
    .execute();
  let refused = 0;
  for (const row of due) {
    const event = { event: 'connection.refresh', connection: row.name } as const;
    try {
      const changed = await refresh(services, row);
      if (changed.length > 0) note({ ...event, result: 'success', details: { fields: changed.join(' ') } });
    } catch (error) {
      if (!(error instanceof MetadataRefusal)) throw error;
      refused += 1;
      log.warn({ err: error, connection: row.name }, 'metadata cannot be used: the last copy is kept');
      note({ ...event, result: 'failure', reason: error.message });
    }
  }
  return { read: due.length - refused, refused };
}

/**
 * Returns the names of the changed settings. A concurrent change by an operator wins.
 * @throws MetadataRefusal
 */
async function refresh({ database, clock, config }: Needed, row: Row): Promise<(keyof SamlSettings)[]> {
  const settings = v.parse(samlSettings, row.settings);
  const read = await fetchMetadata(
    createOutgoingFetch(config.external),
    settings.metadataUrl ?? '',
    clock.now(),
  );
  requireUsable(read, settings, config.production);
  const offered: Partial<SamlSettings> = {
    entryPoint: read.entryPoint,
    entryPointBinding: read.entryPointBinding,
    certificates: read.certificates,
    offeredNameIdFormats: read.offeredNameIdFormats,
    // the operator may have removed the URL
    ...(settings.logoutUrl !== undefined && read.logoutUrl !== null && { logoutUrl: read.logoutUrl }),
  };
  const changed = (Object.keys(offered) as (keyof SamlSettings)[]).filter(
    (field) => JSON.stringify(offered[field]) !== JSON.stringify(settings[field]),
  );
  await database
    .updateTable('connections')
    .set({ settings: JSON.stringify({ ...settings, ...offered }), metadata_read_at: clock.now() })
    .where('id', '=', row.id)
    .where('updated_at', '=', row.updated_at)
    .execute();
  return changed;
}

/**
 * Rejects metadata of another provider and unusable keys.
 * @throws MetadataRefusal
 */
function requireUsable(read: ProviderMetadata, { issuer }: SamlSettings, production: boolean): void {
  if (read.issuer !== issuer)
    throw new MetadataRefusal([
      `is of another provider: expected ${issuer}, found ${read.issuer.slice(0, 300)}`,
    ]);
  const addresses = [read.entryPoint, read.logoutUrl ?? read.entryPoint];
  const scheme = production ? /^https:/i : /^https?:/i;
  if (!addresses.every((address) => URL.canParse(address) && scheme.test(address)))
    throw new MetadataRefusal(['has an address that must begin with https://']);
  try {
    parseCertificates(read.certificates);
  } catch (error) {
    if (!(error instanceof SamlRefusal)) throw error;
    throw new MetadataRefusal([`has a certificate that cannot be used: ${error.message}`], { cause: error });
  }
}
