import { contextOf as contextOfConnection } from '../company/connections-store.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Keys } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import { seal, unseal } from '../lib/sealed.ts';
import { contextOf as contextOfApp } from '../factors/authenticator-apps.ts';
import type { Database } from '../store/schema.ts';

type SecretKeys = Pick<Keys, 'clientSecrets' | 'authenticatorSecrets'>;

/** A stored secret that is encrypted with a key derived from `SECRETS`. */
type SealedSecret = {
  /** The name of the secret that operators see. */
  name: string;
  /** The connection's name, for the audit log. */
  connection?: string;
  ring: KeyRing;
  context: string;
  sealed: string;
  write: (sealed: string) => Promise<unknown>;
};

/** Encrypts every stored secret with the key in use, so that older keys can be retired. Returns the secrets that were re-encrypted. */
export async function resealSecrets(
  database: Database,
  keys: SecretKeys,
  random: Random,
): Promise<Pick<SealedSecret, 'name' | 'connection'>[]> {
  const resealed: SealedSecret[] = [];
  for (const stored of await findSealed(database, keys)) {
    const { name, ring, context, sealed, write } = stored;
    const secret = unseal(ring, sealed, context);
    if (secret === undefined) throw new Error(`The secret of ${name} cannot be decrypted`);
    if (isSealedWith(stored, 0)) continue;
    await write(seal(ring, secret, context, random));
    resealed.push(stored);
  }
  return resealed;
}

/** The names of the secrets that are encrypted with the key of this index. */
export async function findSealedWith(database: Database, keys: SecretKeys, index: number): Promise<string[]> {
  const sealed = await findSealed(database, keys);
  return sealed.filter((stored) => isSealedWith(stored, index)).map(({ name }) => name);
}

function isSealedWith({ ring, sealed, context }: SealedSecret, index: number): boolean {
  const key = ring[index];
  return key !== undefined && unseal([key], sealed, context) !== undefined;
}

async function findSealed(database: Database, keys: SecretKeys): Promise<SealedSecret[]> {
  const connections = await database
    .selectFrom('connections')
    .select(['id', 'name', 'secret_sealed'])
    .where('secret_sealed', 'is not', null)
    .execute();
  const apps = await database
    .selectFrom('authenticator_apps')
    .innerJoin('users', 'users.id', 'authenticator_apps.user_id')
    .select(['user_id', 'user_name', 'secret_sealed'])
    .execute();
  return [
    ...connections.map(({ id, name, secret_sealed }) => ({
      name: `connection ${name}`,
      connection: name,
      ring: keys.clientSecrets,
      context: contextOfConnection(id),
      sealed: secret_sealed ?? '',
      write: (sealed: string) =>
        database.updateTable('connections').set({ secret_sealed: sealed }).where('id', '=', id).execute(),
    })),
    ...apps.map(({ user_id, user_name, secret_sealed }) => ({
      name: `the authenticator app of ${user_name}`,
      ring: keys.authenticatorSecrets,
      context: contextOfApp(user_id),
      sealed: secret_sealed,
      write: (sealed: string) =>
        database
          .updateTable('authenticator_apps')
          .set({ secret_sealed: sealed })
          .where('user_id', '=', user_id)
          .execute(),
    })),
  ];
}
