import { domainKey } from '../src/enterprise/connections-store.ts';
import type { Connection } from '../src/enterprise/connection.ts';
import type { Services } from '../src/services.ts';

/** What a connection of either kind has besides its settings. */
export type ConnectionOfTest = {
  name: string;
  provisioning?: 'none' | 'just_in_time';
  domains?: string[];
  /** Names of the sites whose people sign in over it. */
  sites?: string[];
};

/** Writes a connection as an operator's command does. What was connected with its sites and domains before is not any more. */
export async function keepConnection(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  id: string,
  { name, provisioning = 'none', domains = [], sites = [] }: ConnectionOfTest,
  kept: { kind: Connection['kind']; settings: object; sealedSecret?: string | undefined },
): Promise<void> {
  const now = clock.now();
  await database
    .insertInto('connections')
    .values({
      id,
      name,
      display_name: name,
      kind: kept.kind,
      settings: JSON.stringify(kept.settings),
      secret_sealed: kept.sealedSecret,
      provisioning,
      created_at: now,
      updated_at: now,
    })
    .execute();
  for (const domain of domains) {
    await database
      .insertInto('connection_domains')
      .values({ domain: domainKey(domain), connection_id: id })
      .onConflict((conflict) => conflict.column('domain').doUpdateSet({ connection_id: id }))
      .execute();
  }
  for (const site of sites)
    await database.updateTable('sites').set({ connection_id: id }).where('name', '=', site).execute();
}
