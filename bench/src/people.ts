import { parseConfig } from '@anteroom/identity/config';
import { demoPassword } from '@anteroom/identity/demo/demo-data';
import { seedDemoData } from '@anteroom/identity/demo/seed';
import { secureRandom } from '@anteroom/identity/lib/random';
import { systemClock } from '@anteroom/identity/lib/clock';
import { signInNameKey } from '@anteroom/identity/lib/sign-in-name';
import { loadKeys } from '@anteroom/identity/load-keys';
import { createServices } from '@anteroom/identity/services';
import { openDatabase } from '@anteroom/identity/store/open-database';
import type { Database } from '@anteroom/identity/store/schema';
import type { Credentials } from '@anteroom/testkit/sign-in-visit';
import { pino } from 'pino';

export interface People {
  /** A password is all they need. */
  ready: Credentials[];
  /** Their password must be changed: it is right, and the sign-in stays open, so that it can be sent again and again. */
  mustChange: Credentials[];
}

const site = 'harbor';

/**
 * Puts people into the embedded database of `folder` before the service starts on it. Many, because an account that tries
 * more often at once than it may fail is held back, rightly.
 */
export async function seedPeople(
  folder: string,
  demoPort: number,
  count: { ready: number; mustChange: number },
): Promise<People> {
  const config = parseConfig({ DATA_DIR: folder, DEMO_PORT: String(demoPort) });
  const log = pino({ level: 'silent' });
  const { database, close } = await openDatabase(config.database, log);
  const services = await createServices({
    config,
    database,
    keys: await loadKeys(config, database, secureRandom),
    clock: systemClock,
    random: secureRandom,
    log,
  });
  await seedDemoData(services);
  const passwordHash = await services.passwords.hash(demoPassword);
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
  const people = {
    ready: await add('ready', count.ready, false),
    mustChange: await add('must-change', count.mustChange, true),
  };
  await close();
  return people;
}

interface NewPerson {
  name: string;
  siteId: string;
  passwordHash: string;
  mustChange: boolean;
}

async function addPerson(
  database: Database,
  { name, siteId, passwordHash, mustChange }: NewPerson,
): Promise<void> {
  const id = secureRandom.token(16);
  const now = systemClock.now();
  await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('people')
      .values({ id, user_name: name, first_name: 'Bench', last_name: name, created_at: now, updated_at: now })
      .execute();
    await transaction
      .insertInto('sign_in_names')
      .values({ name_key: signInNameKey(name), person_id: id })
      .execute();
    await transaction
      .insertInto('credentials')
      .values({ person_id: id, password_hash: passwordHash, must_change: mustChange, changed_at: now })
      .execute();
    await transaction
      .insertInto('memberships')
      .values({ person_id: id, site_id: siteId, created_at: now })
      .execute();
  });
}
