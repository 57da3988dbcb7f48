import { domainKey, sealClientSecret } from '../../src/enterprise/connections-store.ts';
import type { OpenidSettings } from '../../src/enterprise/connection.ts';
import type { TestApplication } from '../application.ts';

/** Sets a connection up as an operator would; answers its id. What is connected over it before is not any more. */
export async function connect(
  { services, keys }: TestApplication,
  connection: {
    name: string;
    settings: Partial<OpenidSettings> & Pick<OpenidSettings, 'issuer' | 'clientId'>;
    clientSecret?: string;
    provisioning?: 'none' | 'just_in_time';
    domains?: string[];
    /** Names of the sites whose people sign in over it. */
    sites?: string[];
  },
): Promise<string> {
  const { database, random, clock } = services;
  const id = random.token(8);
  const now = clock.now();
  await database
    .insertInto('connections')
    .values({
      id,
      name: connection.name,
      display_name: connection.name,
      kind: 'openid',
      settings: JSON.stringify(connection.settings),
      secret_sealed: connection.clientSecret && sealClientSecret(keys, random, id, connection.clientSecret),
      provisioning: connection.provisioning ?? 'none',
      created_at: now,
      updated_at: now,
    })
    .execute();
  for (const domain of connection.domains ?? []) {
    await database
      .insertInto('connection_domains')
      .values({ domain: domainKey(domain), connection_id: id })
      .onConflict((conflict) => conflict.column('domain').doUpdateSet({ connection_id: id }))
      .execute();
  }
  for (const site of connection.sites ?? [])
    await database.updateTable('sites').set({ connection_id: id }).where('name', '=', site).execute();
  return id;
}
