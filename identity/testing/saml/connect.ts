import { domainKey } from '../../src/enterprise/connections-store.ts';
import type { SamlSettings } from '../../src/enterprise/connection.ts';
import type { TestApplication } from '../application.ts';

/** Sets a SAML connection up as an operator would; answers its id. What was connected with its sites and domains before is not any more. */
export async function connectSaml(
  { services }: Pick<TestApplication, 'services'>,
  connection: {
    name: string;
    settings: SamlSettings;
    provisioning?: 'none' | 'just_in_time';
    domains?: string[];
    /** Names of the sites whose people sign in over it. */
    sites?: string[];
  },
): Promise<string> {
  const { database, random, clock } = services;
  const { name } = connection;
  const id = random.token(8);
  const now = clock.now();
  await database
    .insertInto('connections')
    .values({
      id,
      name,
      display_name: name,
      kind: 'saml',
      settings: JSON.stringify(connection.settings),
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
