import { randomBytes } from 'node:crypto';
import { findSealedWith, resealSecrets } from './sealed-secrets.ts';
import { entriesOf, listKeysInUse, useKey } from '../keys/keys-in-use.ts';
import { listLiveNodes } from '../keys/nodes.ts';
import type { LiveNode } from '../keys/nodes.ts';
import { addSeconds } from '../lib/clock.ts';
import { secretId } from '../lib/keys.ts';
import type { KeySetting, SigningKey } from '../lib/keys.ts';
import { runInTransaction } from './context.ts';
import type { AdminContext } from './context.ts';
import { makeSigningKey } from './make-key.ts';
import type { Algorithm } from './make-key.ts';
import { recordChange, recordOperation } from './operator-events.ts';
import { RefusedError } from './problems.ts';

// A rotation (decision 036): `add` returns a value of the setting with a new key, which every node gets; `use` makes it the one that signs,
// once every node knows it; `retire` returns the value without the old key, once nothing that it signed is valid any more.

/** How long something that the key signed stays valid: a remembered computer for 30 days, an ID token for an hour. */
const longestLifeSeconds: Readonly<Record<KeySetting, number>> = {
  SECRETS: 30 * 24 * 3600,
  SIGNING_JWKS: 3600,
  REGION_SIGNING_JWKS: 3600,
};

/** The first SECRETS and SIGNING_JWKS of an installation. */
export function createFirstKeys(): { SECRETS: string; SIGNING_JWKS: string } {
  return { SECRETS: createSecret(), SIGNING_JWKS: JSON.stringify({ keys: [makeSigningKey('RS256')] }) };
}

export const keyFields = ['setting', 'key', 'use', 'since', 'nodes'] as const;

/** The keys of the settings by their ids, never a key itself. */
export async function listKeys(context: AdminContext): Promise<Record<(typeof keyFields)[number], string>[]> {
  const { keys } = await context.services();
  const nodes = await listLiveNodes(context);
  const inUse = await listKeysInUse(context.database);
  return entriesOf(keys.ids).flatMap(([setting, ids]) =>
    ids.map((id, index) => {
      const use = inUse.find((row) => row.setting === setting && row.id === id);
      return {
        setting,
        key: id,
        use: index === 0 ? 'in use' : 'accepted',
        since: use?.since.toISOString() ?? '',
        nodes: `${nodes.filter((node) => knows(node, setting, id)).length} of ${nodes.length}`,
      };
    }),
  );
}

/** A value of the setting with a new key, which is accepted and not used yet, and the key's id. */
export async function addSigningKey(
  context: AdminContext,
  setting: Exclude<KeySetting, 'SECRETS'>,
  algorithm: Algorithm,
): Promise<{ id: string; value: string }> {
  const keys = await requireSigningKeys(context, setting);
  const key = makeSigningKey(algorithm);
  return { id: key.kid, value: JSON.stringify({ keys: [...keys, key] }) };
}

export function addSecret(context: AdminContext): { id: string; value: string } {
  const secret = createSecret();
  return { id: secretId(secret), value: [...requireSecrets(context), secret].join(',') };
}

/** Makes the key the one that signs and seals, from the next start of each node on. Returns its setting. */
export async function startUsingKey(
  context: AdminContext,
  id: string,
  { despiteNodes = false }: { despiteNodes?: boolean | undefined },
): Promise<KeySetting> {
  const setting = await requireSetting(context, id);
  const lacking = (await listLiveNodes(context)).filter((node) => !knows(node, setting, id));
  if (lacking.length > 0 && !despiteNodes)
    throw new RefusedError(
      lacking.map(({ name }) => ({
        reason: `the node ${name} does not know ${id}: give it the new value of ${setting} and restart it first`,
      })),
    );
  const { production } = context.config;
  await runInTransaction(context, async (transaction) => {
    await useKey(transaction, { setting, id, production, now: context.clock.now() });
    await recordChange(context, transaction, {}, { noun: 'keys', verb: 'use', name: id, setting });
  });
  return setting;
}

/** Seals stored secrets, of connections and of authenticator apps, with the secret in use; returns whose they are. */
export async function resealStoredSecrets(context: AdminContext): Promise<string[]> {
  const { keys, random } = await context.services();
  return await runInTransaction(context, async (transaction) => {
    const stored = await resealSecrets(transaction, keys, random);
    const events = stored.map(({ name, connection }) => ({
      event: 'operator.change' as const,
      connection,
      details: { noun: 'keys', verb: 'reseal', name },
    }));
    await recordOperation(context, transaction, events);
    return stored.map(({ name }) => name);
  });
}

/** The value of the setting without the key: what the key signed is invalid from then on. */
export async function retireKey(
  context: AdminContext,
  id: string,
  { early = false }: { early?: boolean | undefined },
): Promise<{ setting: KeySetting; value: string }> {
  const setting = await requireSetting(context, id);
  await refuseNeededKey(context, setting, id, early);
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

async function refuseNeededKey(
  context: AdminContext,
  setting: KeySetting,
  id: string,
  isEarly: boolean,
): Promise<void> {
  const { keys } = await context.services();
  const refuse = (reason: string): never => {
    throw new RefusedError(reason);
  };
  if (keys.ids[setting]?.[0] === id) refuse(`${id} is in use: \`anteroom keys use\` another one first`);
  const users = (await listLiveNodes(context)).filter(({ keyIds }) => keyIds[setting]?.[0] === id);
  for (const { name } of users) refuse(`the node ${name} still uses ${id}: restart it first`);
  if (setting === 'SECRETS') {
    const index = keys.ids.SECRETS?.indexOf(id) ?? -1;
    for (const name of await findSealedWith(context.database, keys, index))
      refuse(`the secret of ${name} is sealed with it: \`anteroom keys reseal\` first`);
  }
  const since = (await listKeysInUse(context.database)).find((row) => row.setting === setting)?.since;
  const until = since && addSeconds(since, longestLifeSeconds[setting]);
  if (until !== undefined && until > context.clock.now() && !isEarly)
    refuse(`what ${id} signed may be valid until ${until.toISOString()}; --early ends it now`);
}

function knows(node: LiveNode, setting: KeySetting, id: string): boolean {
  return node.keyIds[setting]?.includes(id) === true;
}

async function requireSetting(context: AdminContext, id: string): Promise<KeySetting> {
  const { keys } = await context.services();
  const found = entriesOf(keys.ids).find(([, ids]) => ids.includes(id));
  if (found === undefined) throw new RefusedError(`there is no key ${id} in the settings of this command`);
  return found[0];
}

async function requireSigningKeys(
  context: AdminContext,
  setting: KeySetting,
): Promise<readonly SigningKey[]> {
  const { keys } = await context.services();
  if (setting === 'SIGNING_JWKS') return keys.signing.keys;
  if (keys.regionSigning === undefined)
    throw new RefusedError('there is one region alone (REGIONS is not set)');
  return keys.regionSigning.keys;
}

function requireSecrets({ config }: AdminContext): readonly string[] {
  if (config.secrets === undefined)
    throw new RefusedError('SECRETS is not set: the secret in use was made for trying the product out');
  return config.secrets;
}
