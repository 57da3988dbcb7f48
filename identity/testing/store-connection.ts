import { domainKey } from '../src/lib/names.ts';
import type { Connection } from '../src/company/connection.ts';
import type { Services } from '../src/services.ts';

/** A SAML or OpenID connection without its settings. */
export type TestConnection = {
  name: string;
  provisioning?: 'none' | 'just_in_time';
  domains?: string[];
  /** Names of the sites whose users sign in through it. */
  sites?: string[];
};

/** Stores a connection, and assigns its sites and domains to it. */
export async function storeConnection(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  id: string,
  { name, provisioning = 'none', domains = [], sites = [] }: TestConnection,
  stored: { kind: Connection['kind']; settings: object; sealedSecret?: string | undefined },
): Promise<void> {
  const now = clock.now();
  await database
    .insertInto('connections')
    .values({
      id,
      name,
      display_name: name,
      kind: stored.kind,
      settings: JSON.stringify(stored.settings),
      secret_sealed: stored.sealedSecret,
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
