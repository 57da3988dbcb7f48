import { sql } from 'kysely';
import { listLiveNodes } from '../keys/nodes.ts';
import { findSigner, withDerivedKeys } from '../lib/derived-keys.ts';
import type { SigningKey } from '../lib/keys.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { AdminContext } from './admin-context.ts';
import type { Fault } from './resource.ts';

/** Finds reasons why the nodes cannot sign with the algorithm: no key in use supports it, or a running node does not have the key. */
export async function findAlgorithmFaults(
  context: AdminContext,
  transaction: DatabaseTransaction,
  algorithm: string,
): Promise<Fault[]> {
  const { keys } = await context.services();
  const column = 'idTokenAlg';
  const key = findSigner(algorithm, keys.signing.keys);
  if (key === undefined) {
    const others = withDerivedKeys(keys.signing.keys.slice(0, 1)).map(({ alg }) => alg);
    const reason = `the signing key in use signs with ${others.join(' and ')} only; a key from \`anteroom keys add --alg RS256\` signs with RS256 and ES256`;
    return [{ column, reason }];
  }
  const nodes = await listLiveNodes({ database: transaction, clock: context.clock });
  return nodes
    .filter(({ keyIds }) => keyIds.SIGNING_JWKS?.includes(key.kid) !== true)
    .map(({ name }) => ({
      column,
      reason: `the node ${name} does not know the key ${key.kid} for ${algorithm}: restart it with this version and these settings first`,
    }));
}

/** Finds clients whose chosen algorithm could not sign their tokens if the first of the keys were in use. */
export async function findClientsLeftWithout(
  transaction: DatabaseTransaction,
  keys: readonly SigningKey[],
): Promise<{ clientId: string; algorithm: string }[]> {
  const algorithm = sql<string>`metadata ->> 'id_token_alg'`;
  const rows = await transaction
    .selectFrom('clients')
    .select(['id as clientId', algorithm.as('algorithm')])
    .where(algorithm, 'is not', null)
    .orderBy('id')
    .execute();
  return rows.filter((row) => findSigner(row.algorithm, keys) === undefined);
}
