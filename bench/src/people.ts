import { parseConfig } from '@anteroom/identity/config';
import { demoPassword } from '@anteroom/identity/demo/demo-data';
import { seedDemoData } from '@anteroom/identity/demo/seed';
import { secureRandom } from '@anteroom/identity/lib/random';
import { systemClock } from '@anteroom/identity/lib/clock';
import { signInNameKey } from '@anteroom/identity/lib/names';
import { loadKeys } from '@anteroom/identity/keys/load-keys';
import { createServices } from '@anteroom/identity/services';
import { openDatabase } from '@anteroom/identity/store/open-database';
import type { Database } from '@anteroom/identity/store/schema';
import type { Credentials } from '@anteroom/testkit/sign-in-visit';
import { pino } from 'pino';

/** The database, and settings of the password hash if they differ from the default. */
type Settings = ({ DATA_DIR: string } | { DATABASE_URL: string }) & Record<string, string>;

export interface People {
  /** Users who need only a password. */
  ready: Credentials[];
  /** Users who must change their password: the right password leaves the sign-in open, so it can be sent repeatedly. */
  mustChange: Credentials[];
}

const site = 'harbor';

/**
 * Prepares the database in these settings before the service starts on it, including the demo data. `passwordHash` is
 * the hash of the demo password, computed once for all users.
 */
export async function prepareDatabase<Result>(
  where: Settings,
  demoPort: number,
  work: (database: Database, passwordHash: string) => Promise<Result>,
): Promise<Result> {
  const config = parseConfig({ ...where, DEMO_PORT: String(demoPort) });
  const log = pino({ level: 'silent' });
  const { database, close } = await openDatabase(config.database, log);
  const services = await createServices({
    config,
    database,
    keys: await loadKeys(config, database, { random: secureRandom, clock: systemClock }),
    clock: systemClock,
    random: secureRandom,
    log,
  });
  await seedDemoData(services);
  const result = await work(database, await services.passwords.hash(demoPassword));
  await close();
  return result;
}

/** Adds many users, because the service delays accounts with too many parallel attempts. */
export async function seedPeople(
  where: Settings,
  demoPort: number,
  count: { ready: number; mustChange: number },
): Promise<People> {
  return await prepareDatabase(where, demoPort, async (database, passwordHash) => {
    const { id: siteId } = await database
      .selectFrom('sites')
      .select('id')
      .where('name', '=', site)
      .executeTakeFirstOrThrow();
    const add = async (prefix: string, howMany: number, mustChange: boolean): Promise<Credentials[]> => {
      const names = Array.from({ length: howMany }, (_, index) => `${prefix}-${index}@bench.example`);
      for (const name of names) await addPerson(database, { name, siteId, passwordHash, mustChange });
      return names.map((userName) => ({ site, userName, password: demoPassword }));
    };
    return {
      ready: await add('ready', count.ready, false),
      mustChange: await add('must-change', count.mustChange, true),
    };
  });
}

interface NewPerson {
  name: string;
  /** The site of which the user becomes a member; undefined: none yet. */
  siteId: string | undefined;
  passwordHash: string;
  mustChange: boolean;
}

/** Adds a user and returns the new id. */
export async function addPerson(
  database: Database,
  { name, siteId, passwordHash, mustChange }: NewPerson,
): Promise<string> {
  const id = secureRandom.token(16);
  const now = systemClock.now();
  await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('users')
      .values({ id, user_name: name, first_name: 'Bench', last_name: name, created_at: now, updated_at: now })
      .execute();
    await transaction
      .insertInto('sign_in_names')
      .values({ name_key: signInNameKey(name), user_id: id })
      .execute();
    await transaction
      .insertInto('credentials')
      .values({ user_id: id, password_hash: passwordHash, must_change: mustChange, changed_at: now })
      .execute();
    if (siteId !== undefined) {
      await transaction
        .insertInto('memberships')
        .values({ user_id: id, site_id: siteId, created_at: now })
        .execute();
    }
  });
  return id;
}
