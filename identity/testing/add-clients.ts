import type { Database } from '../src/store/schema.ts';

/** Registers applications: their metadata by client id, and the metadata that they have in common. */
export async function addClients(
  database: Database,
  clients: Readonly<Record<string, object>>,
  common: object = {},
): Promise<void> {
  await database
    .insertInto('clients')
    .values(
      Object.entries(clients).map(([id, metadata]) => ({
        id,
        display_name: id,
        customizations: '{}',
        metadata: JSON.stringify({ ...common, ...metadata }),
        created_at: new Date(),
      })),
    )
    .execute();
}
