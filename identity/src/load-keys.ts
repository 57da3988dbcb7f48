import { generateKeyPairSync } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import * as v from 'valibot';
import type { Config } from './config.ts';
import { deriveKeys } from './lib/keys.ts';
import type { Keys, SigningKey } from './lib/keys.ts';
import type { Random } from './lib/random.ts';
import { parseSigningKeys } from './lib/signing-keys.ts';
import type { Database } from './store/schema.ts';

const settingName = 'development keys';
const regionSettingName = 'development key of the region';
const settingValue = v.object({ secret: v.string(), signing: v.string() });
const regionSettingValue = v.object({ signing: v.string() });

/**
 * The configured keys. Outside production those that are not configured are made once and kept in the database, so that
 * nobody who tries the product out is signed out by a restart.
 */
export async function loadKeys(
  config: Pick<Config, 'production' | 'secrets' | 'signing' | 'regions'>,
  database: Database,
  random: Random,
): Promise<Keys> {
  const keys = await loadOwnKeys(config, database, random);
  if (config.regions === undefined) return keys;
  return {
    ...keys,
    regionSigning: config.regions.signing ?? (await keepDevelopmentRegionKey(config, database, random)),
  };
}

async function loadOwnKeys(
  config: Pick<Config, 'production' | 'secrets' | 'signing'>,
  database: Database,
  random: Random,
): Promise<Keys> {
  if (config.secrets !== undefined && config.signing !== undefined) {
    return deriveKeys(config.secrets, config.signing);
  }
  if (config.production) throw new Error('Keys are never made up in production');
  const kept = await keepDevelopmentKeys(database, random);
  return deriveKeys(config.secrets ?? [kept.secret], config.signing ?? kept.signing);
}

async function keepDevelopmentKeys(
  database: Database,
  random: Random,
): Promise<{ secret: string; signing: { keys: SigningKey[] } }> {
  const found = await findDevelopmentKeys(database);
  if (found !== undefined) return found;
  const value = { secret: random.token(), signing: JSON.stringify({ keys: [createSigningKey(random)] }) };
  // Of several nodes that start on a new database the first one's keys are everybody's.
  await database
    .insertInto('settings')
    .values({ name: settingName, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const kept = await findDevelopmentKeys(database);
  if (kept === undefined) throw new Error('The keys that were just kept are gone');
  return kept;
}

async function findDevelopmentKeys(
  database: Database,
): Promise<{ secret: string; signing: { keys: SigningKey[] } } | undefined> {
  const row = await database
    .selectFrom('settings')
    .select('value')
    .where('name', '=', settingName)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { secret, signing } = v.parse(settingValue, row.value);
  const keys = parseSigningKeys(signing);
  if (keys === undefined) throw new Error('The kept signing keys cannot be read');
  return { secret, signing: keys };
}

async function keepDevelopmentRegionKey(
  { production }: Pick<Config, 'production'>,
  database: Database,
  random: Random,
): Promise<{ keys: SigningKey[] }> {
  if (production) throw new Error('Keys are never made up in production');
  await database
    .insertInto('settings')
    .values({
      name: regionSettingName,
      value: JSON.stringify({ signing: JSON.stringify({ keys: [createSigningKey(random)] }) }),
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const row = await database
    .selectFrom('settings')
    .select('value')
    .where('name', '=', regionSettingName)
    .executeTakeFirstOrThrow();
  const keys = parseSigningKeys(v.parse(regionSettingValue, row.value).signing);
  if (keys === undefined) throw new Error('The kept key of the region cannot be read');
  return keys;
}

/** RS256 with 2048 bits: what every OpenID client understands (OpenID Connect Core, 15.1). */
function createSigningKey(random: Random): JsonWebKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: random.token(8), use: 'sig', alg: 'RS256' };
}
