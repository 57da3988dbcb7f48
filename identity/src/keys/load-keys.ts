import { generateKeyPairSync } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import { sql } from 'kysely';
import * as v from 'valibot';
import type { Config } from '../config/config.ts';
import type { Clock } from '../lib/clock.ts';
import { deriveKeys, secretId } from '../lib/keys.ts';
import type { KeyIds, Keys, KeySetting, SigningKey } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import { parseSigningKeys } from '../lib/signing-keys.ts';
import type { Database } from '../store/schema.ts';
import { MissingKeyError, claimKeysInUse, findKeysInUse } from './keys-in-use.ts';

const settingName = 'development keys';
const regionSettingName = 'development key of the region';
const settingValue = v.object({ secret: v.string(), signing: v.string() });
const regionSettingValue = v.object({ signing: v.string() });

type KeyConfig = Pick<Config, 'production' | 'secrets' | 'signing' | 'regions'>;
/** The keys as the settings contain them. The database says which of them are in use. */
type GivenKeys = {
  secrets: readonly string[];
  signing: readonly SigningKey[];
  regionSigning?: readonly SigningKey[];
};

/**
 * Loads the keys of a process that serves visitors. Outside production, keys that are not configured are created once
 * and stored in the database, so that a restart does not sign users out.
 * @throws MissingKeyError if the database was used with other keys
 */
export async function loadKeys(
  config: KeyConfig,
  database: Database,
  { random, clock }: { random: Random; clock: Clock },
): Promise<Keys> {
  const given = await findGivenKeys(config, database, random);
  const inUse = await claimKeysInUse(database, idsOf(given), {
    production: config.production,
    now: clock.now(),
  });
  return deriveInOrder(given, inUse);
}

/** Loads the same keys for an operator's command, without selecting any for use. */
export async function loadKeysForCommand(
  config: KeyConfig,
  database: Database,
  { random }: { random: Random },
): Promise<Keys> {
  const given = await findGivenKeys(config, database, random);
  return deriveInOrder(given, await findKeysInUse(database, idsOf(given)));
}

async function findGivenKeys(config: KeyConfig, database: Database, random: Random): Promise<GivenKeys> {
  const { secrets, signing, regions } = config;
  const isComplete = secrets !== undefined && signing !== undefined;
  const made = isComplete ? undefined : await requireDevelopmentKeys(config, database, random);
  return {
    secrets: secrets ?? [made?.secret ?? ''],
    signing: (signing ?? made?.signing)?.keys ?? [],
    ...(regions !== undefined && {
      regionSigning: (regions.signing ?? (await requireDevelopmentRegionKey(config, database, random))).keys,
    }),
  };
}

function idsOf({ secrets, signing, regionSigning }: GivenKeys): KeyIds {
  return {
    SECRETS: secrets.map(secretId),
    SIGNING_JWKS: signing.map(({ kid }) => kid),
    ...(regionSigning && { REGION_SIGNING_JWKS: regionSigning.map(({ kid }) => kid) }),
  };
}

function deriveInOrder(
  { secrets, signing, regionSigning }: GivenKeys,
  inUse: Partial<Record<KeySetting, string>>,
): Keys {
  const orderedSecrets = putFirst(secrets, (secret) => secretId(secret) === inUse.SECRETS);
  const orderedSigning = putFirst(signing, ({ kid }) => kid === inUse.SIGNING_JWKS);
  const keys = deriveKeys(orderedSecrets, { keys: orderedSigning });
  if (regionSigning === undefined) return keys;
  const ordered = putFirst(regionSigning, ({ kid }) => kid === inUse.REGION_SIGNING_JWKS);
  return {
    ...keys,
    ids: { ...keys.ids, REGION_SIGNING_JWKS: ordered.map(({ kid }) => kid) },
    regionSigning: { keys: ordered },
  };
}

/** Moves the first item that fits to the front; the other items keep their order. */
function putFirst<Item>(items: readonly Item[], fits: (item: Item) => boolean): [Item, ...Item[]] {
  const chosen = items.find(fits) ?? items[0];
  if (chosen === undefined) throw new Error('A setting of keys is never empty');
  return [chosen, ...items.filter((item) => item !== chosen)];
}

async function requireDevelopmentKeys(
  { production }: KeyConfig,
  database: Database,
  random: Random,
): Promise<{ secret: string; signing: { keys: SigningKey[] } }> {
  if (production) throw new Error('Keys are never made up in production');
  const found = await findDevelopmentKeys(database);
  if (found !== undefined) return found;
  await refuseOwnedDatabase(database);
  const value = { secret: random.token(), signing: JSON.stringify({ keys: [createSigningKey(random)] }) };
  await insertSetting(database, settingName, value);
  const stored = await findDevelopmentKeys(database);
  if (stored === undefined) throw new Error('The keys that were just stored are gone');
  return stored;
}

/** @throws if the database belongs to an installation with its own keys: development keys must not be stored there */
async function refuseOwnedDatabase(database: Database): Promise<void> {
  const { rows } = await sql<{ is_owned: boolean }>`
    select exists (select from keys_in_use where production)
      -- a release that did not record which key is in use
      or (not exists (select from keys_in_use)
        and (exists (select from credentials) or exists (select from sessions))) as is_owned`.execute(
    database,
  );
  if (rows[0]?.is_owned === true)
    throw new MissingKeyError(
      'This database belongs to an installation with keys of its own: set SECRETS, SIGNING_JWKS and NODE_ENV as its nodes have them.',
    );
}

async function findDevelopmentKeys(
  database: Database,
): Promise<{ secret: string; signing: { keys: SigningKey[] } } | undefined> {
  const value = await findSetting(database, settingName);
  if (value === undefined) return undefined;
  const { secret, signing } = v.parse(settingValue, value);
  return { secret, signing: requireSigningKeys(signing) };
}

async function requireDevelopmentRegionKey(
  { production }: KeyConfig,
  database: Database,
  random: Random,
): Promise<{ keys: SigningKey[] }> {
  if (production) throw new Error('Keys are never made up in production');
  await insertSetting(database, regionSettingName, {
    signing: JSON.stringify({ keys: [createSigningKey(random)] }),
  });
  const { signing } = v.parse(regionSettingValue, await findSetting(database, regionSettingName));
  return requireSigningKeys(signing);
}

/**
 * Stores a setting unless it exists. If several nodes start on a new database, all use the keys that the first node
 * stored.
 */
async function insertSetting(database: Database, name: string, value: object): Promise<void> {
  await database
    .insertInto('settings')
    .values({ name, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

async function findSetting(database: Database, name: string): Promise<unknown> {
  const row = await database
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value;
}

function requireSigningKeys(text: string): { keys: SigningKey[] } {
  const keys = parseSigningKeys(text);
  if (keys === undefined) throw new Error('The stored signing keys cannot be read');
  return keys;
}

/** Creates an RSA key with 2048 bits for RS256, which every OpenID client supports (OpenID Connect Core, 15.1). */
function createSigningKey(random: Random): JsonWebKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: random.token(8), use: 'sig', alg: 'RS256' };
}
