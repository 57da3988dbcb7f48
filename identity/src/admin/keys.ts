import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { entriesOf, listKeysInUse, useKey } from '../keys/keys-in-use.ts';
import { listLiveNodes } from '../keys/nodes.ts';
import type { LiveNode } from '../keys/nodes.ts';
import { addSeconds } from '../lib/clock.ts';
import { findDerivedKey } from '../lib/derived-keys.ts';
import { secretId } from '../lib/keys.ts';
import type { Keys, KeySetting, SigningKey } from '../lib/keys.ts';
import { keyIdOf } from '../lib/signing-keys.ts';
import { longestInvitationDays } from './password-mails.ts';
import { rememberDeviceDays } from '../factors/code-limits.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { findClientsLeftWithout } from './client-algorithms.ts';
import { runInTransaction } from './admin-context.ts';
import type { AdminContext } from './admin-context.ts';
import { recordChange, recordOperation } from './operator-events.ts';
import { RefusedError } from './problems.ts';
import { findSealedWith, resealSecrets } from './sealed-secrets.ts';

// A rotation has three steps (decision 036). `add` returns the setting with a new key, to be deployed to every node. `use`
// selects the key for signing once every node has it. `retire` returns the setting without the old key once everything
// that it signed has expired.

/** How long what SECRETS protects can be valid: remembered computers and invitations. */
export const secretLifeDays = Math.max(rememberDeviceDays, longestInvitationDays);

/** The longest lifetime of what a key signs; for SIGNING_JWKS, that of an ID token. Recovery codes do not expire. */
const longestLifeSeconds: Readonly<Record<KeySetting, number>> = {
  SECRETS: secretLifeDays * 24 * 3600,
  SIGNING_JWKS: 3600,
  REGION_SIGNING_JWKS: 3600,
};

export const algorithms = ['RS256', 'ES256', 'EdDSA'] as const;
export type Algorithm = (typeof algorithms)[number];

export function createSigningKey(alg: Algorithm): SigningKey {
  const jwk: JsonWebKey = createPrivateKey(alg).export({ format: 'jwk' });
  return { ...jwk, kid: keyIdOf(jwk), use: 'sig', alg };
}

function createPrivateKey(alg: Algorithm): KeyObject {
  switch (alg) {
    case 'RS256':
      return generateKeyPairSync('rsa', { modulusLength: 3072 }).privateKey;
    case 'ES256':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    case 'EdDSA':
      return generateKeyPairSync('ed25519').privateKey;
  }
}

/** Creates SECRETS and SIGNING_JWKS for a new installation. */
export function createFirstKeys(): { SECRETS: string; SIGNING_JWKS: string } {
  return { SECRETS: createSecret(), SIGNING_JWKS: JSON.stringify({ keys: [createSigningKey('RS256')] }) };
}

export const keyFields = ['setting', 'key', 'use', 'since', 'nodes'] as const;

/** Lists the keys of the settings by their ids, without key material. */
export async function listKeys(context: AdminContext): Promise<Record<(typeof keyFields)[number], string>[]> {
  const { keys } = await context.services();
  const nodes = await listLiveNodes(context);
  const inUse = await listKeysInUse(context.database);
  return entriesOf(keys.ids).flatMap(([setting, ids]) =>
    ids.flatMap((id, index) => {
      const use = inUse.find((row) => row.setting === setting && row.id === id);
      const derived = setting === 'SIGNING_JWKS' ? derivedKeyOf(keys, id) : undefined;
      const key = {
        setting,
        key: id,
        use: index === 0 ? 'in use' : 'accepted',
        since: use?.since.toISOString() ?? '',
        nodes: countNodesWithKey(nodes, setting, id),
      };
      if (derived === undefined) return [key];
      const nodesOfDerivedKey = countNodesWithKey(nodes, setting, derived.kid);
      return [
        key,
        { setting, key: derived.kid, use: `ES256 key of ${id}`, since: '', nodes: nodesOfDerivedKey },
      ];
    }),
  );
}

/** Returns the id of a new key, and the setting with it. Nodes accept the new key but do not sign with it yet. */
export async function addSigningKey(
  context: AdminContext,
  setting: Exclude<KeySetting, 'SECRETS'>,
  algorithm: Algorithm,
): Promise<{ id: string; value: string }> {
  const keys = await requireSigningKeys(context, setting);
  const key = createSigningKey(algorithm);
  return { id: key.kid, value: JSON.stringify({ keys: [...keys, key] }) };
}

export function addSecret(context: AdminContext): { id: string; value: string } {
  const secret = createSecret();
  return { id: secretId(secret), value: [...requireSecrets(context), secret].join(',') };
}

/** Selects the key for signing and encryption. Each node uses it from its next start on. Returns the setting of the key. */
export async function startUsingKey(
  context: AdminContext,
  id: string,
  { despiteNodes = false }: { despiteNodes?: boolean | undefined },
): Promise<KeySetting> {
  const setting = await requireSetting(context, id);
  const withoutKey = (await listLiveNodes(context)).filter((node) => !hasKey(node, setting, id));
  if (withoutKey.length > 0 && !despiteNodes)
    throw new RefusedError(
      withoutKey.map(({ name }) => ({
        reason: `the node ${name} does not have the key ${id}: set the new ${setting} there and restart it first`,
      })),
    );
  const { production } = context.config;
  await runInTransaction(context, async (transaction) => {
    if (setting === 'SIGNING_JWKS') await requireClientAlgorithms(context, transaction, id);
    await useKey(transaction, { setting, id, production, now: context.clock.now() });
    await recordChange(context, transaction, {}, { resource: 'keys', action: 'use', name: id, setting });
  });
  return setting;
}

/** Encrypts the stored secrets of connections and authenticator apps with the secret in use. Returns the names of their owners. */
export async function resealStoredSecrets(context: AdminContext): Promise<string[]> {
  const { keys, random } = await context.services();
  return await runInTransaction(context, async (transaction) => {
    const stored = await resealSecrets(transaction, keys, random);
    const events = stored.map(({ name, connection }) => ({
      event: 'operator.change' as const,
      connection,
      details: { resource: 'keys', action: 'reseal', name },
    }));
    await recordOperation(context, transaction, events);
    return stored.map(({ name }) => name);
  });
}

/** Returns the setting without the key. Once deployed, everything that the key signed is invalid. */
export async function retireKey(
  context: AdminContext,
  id: string,
  { early = false }: { early?: boolean | undefined },
): Promise<{ setting: KeySetting; value: string }> {
  const setting = await requireSetting(context, id);
  await requireUnneededKey(context, setting, id, early);
  if (setting === 'SECRETS') {
    const others = requireSecrets(context).filter((secret) => secretId(secret) !== id);
    return { setting, value: others.join(',') };
  }
  const others = (await requireSigningKeys(context, setting)).filter(({ kid }) => kid !== id);
  return { setting, value: JSON.stringify({ keys: others }) };
}

function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** @throws RefusedError if the key cannot sign with the algorithm that a client has chosen */
async function requireClientAlgorithms(
  context: AdminContext,
  transaction: DatabaseTransaction,
  id: string,
): Promise<void> {
  const keys = await requireSigningKeys(context, 'SIGNING_JWKS');
  const clients = await findClientsLeftWithout(
    transaction,
    keys.filter(({ kid }) => kid === id),
  );
  if (clients.length > 0)
    throw new RefusedError(
      clients.map(({ clientId, algorithm }) => ({
        reason: `${id} cannot sign with ${algorithm}, the algorithm of the client ${clientId}: run \`anteroom clients update ${clientId} --id-token-alg=\` first`,
      })),
    );
}

async function requireUnneededKey(
  context: AdminContext,
  setting: KeySetting,
  id: string,
  isEarly: boolean,
): Promise<void> {
  const { keys } = await context.services();
  const refuse = (reason: string): never => {
    throw new RefusedError(reason);
  };
  if (keys.ids[setting]?.[0] === id)
    refuse(`${id} is in use: select another key with \`anteroom keys use\` first`);
  const nodes = (await listLiveNodes(context)).filter(({ keyIds }) => keyIds[setting]?.[0] === id);
  for (const { name } of nodes) refuse(`the node ${name} still uses ${id}: restart it first`);
  if (setting === 'SECRETS') {
    const index = keys.ids.SECRETS?.indexOf(id) ?? -1;
    for (const name of await findSealedWith(context.database, keys, index))
      refuse(`the secret of ${name} is encrypted with it: run \`anteroom keys reseal\` first`);
  }
  const since = (await listKeysInUse(context.database)).find((row) => row.setting === setting)?.since;
  const until = since && addSeconds(since, longestLifeSeconds[setting]);
  if (until !== undefined && until > context.clock.now() && !isEarly)
    refuse(`what ${id} signed may be valid until ${until.toISOString()}; --early invalidates it now`);
  if (setting === 'SECRETS' && since !== undefined && !isEarly) {
    const users = await findUsersWithRecoveryCodesBefore(context.database, since);
    const more = users.length > shownUsers ? ` and ${users.length - shownUsers} more` : '';
    if (users.length > 0)
      refuse(
        `the recovery codes of ${users.slice(0, shownUsers).join(', ')}${more} can be verified only with ${id}: ask these users to create new codes on their account page, or invalidate the codes with --early`,
      );
  }
}

/** How many users a message names. */
const shownUsers = 20;

/** The names of the users with unused recovery codes that were created before this time. */
async function findUsersWithRecoveryCodesBefore(database: Database, time: Date): Promise<string[]> {
  const users = await database
    .selectFrom('recovery_codes')
    .innerJoin('authenticator_apps', 'authenticator_apps.user_id', 'recovery_codes.user_id')
    .innerJoin('users', 'users.id', 'recovery_codes.user_id')
    .select('users.user_name')
    .where(({ fn }) => fn.coalesce('recovery_codes.made_at', 'authenticator_apps.created_at'), '<', time)
    .distinct()
    .orderBy('users.user_name')
    .execute();
  return users.map((user) => user.user_name);
}

function derivedKeyOf(keys: Keys, id: string): SigningKey | undefined {
  const key = keys.signing.keys.find(({ kid }) => kid === id);
  return key && findDerivedKey(key);
}

function countNodesWithKey(nodes: readonly LiveNode[], setting: KeySetting, id: string): string {
  return `${nodes.filter((node) => hasKey(node, setting, id)).length} of ${nodes.length}`;
}

function hasKey(node: LiveNode, setting: KeySetting, id: string): boolean {
  return node.keyIds[setting]?.includes(id) === true;
}

async function requireSetting(context: AdminContext, id: string): Promise<KeySetting> {
  const { keys } = await context.services();
  const found = entriesOf(keys.ids).find(([, ids]) => ids.includes(id));
  if (found === undefined) {
    const rsaKey = keys.signing.keys.find((key) => findDerivedKey(key)?.kid === id);
    throw new RefusedError(
      rsaKey === undefined
        ? `there is no key ${id} in the settings of this command`
        : `${id} is the ES256 key that belongs to ${rsaKey.kid}: use the id ${rsaKey.kid}`,
    );
  }
  return found[0];
}

async function requireSigningKeys(
  context: AdminContext,
  setting: KeySetting,
): Promise<readonly SigningKey[]> {
  const { keys } = await context.services();
  if (setting === 'SIGNING_JWKS') return keys.signing.keys;
  if (keys.regionSigning === undefined)
    throw new RefusedError('there is only one region (REGIONS is not set)');
  return keys.regionSigning.keys;
}

function requireSecrets({ config }: AdminContext): readonly string[] {
  if (config.secrets === undefined)
    throw new RefusedError('SECRETS is not set: the secret in use was generated for evaluation');
  return config.secrets;
}
