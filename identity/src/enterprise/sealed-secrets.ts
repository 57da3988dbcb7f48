import type { Keys } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import { unseal } from '../lib/sealed.ts';
import type { Database } from '../store/schema.ts';
import { contextOf, sealClientSecret } from './connections-store.ts';

type SecretKeys = Pick<Keys, 'clientSecrets'>;

/** Seals clients' secrets anew with the present key, so that the older ones may go; answers the connections' names. */
export async function resealSecrets(database: Database, keys: SecretKeys, random: Random): Promise<string[]> {
  const resealed: string[] = [];
  for (const { id, name, secret_sealed: sealed } of await findSealed(database)) {
    const secret = unseal(keys.clientSecrets, sealed, contextOf(id));
    if (secret === undefined) throw new Error(`The client secret of connection ${name} cannot be unsealed`);
    if (isSealedWith(keys, 0, id, sealed)) continue;
    await database
      .updateTable('connections')
      .set({ secret_sealed: sealClientSecret(keys, random, id, secret) })
      .where('id', '=', id)
      .execute();
    resealed.push(name);
  }
  return resealed;
}

/** The connections whose secret is sealed with that key of the ring. */
export async function findSealedWith(database: Database, keys: SecretKeys, index: number): Promise<string[]> {
  const sealed = await findSealed(database);
  return sealed.filter((row) => isSealedWith(keys, index, row.id, row.secret_sealed)).map(({ name }) => name);
}

function isSealedWith(keys: SecretKeys, index: number, id: string, sealed: string): boolean {
  const key = keys.clientSecrets[index];
  return key !== undefined && unseal([key], sealed, contextOf(id)) !== undefined;
}

async function findSealed(database: Database) {
  const rows = await database.selectFrom('connections').select(['id', 'name', 'secret_sealed']).execute();
  return rows.flatMap((row) =>
    row.secret_sealed === null ? [] : [{ ...row, secret_sealed: row.secret_sealed }],
  );
}
