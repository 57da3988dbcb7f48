import { secureRandom } from '../src/lib/random.ts';
import type { Database } from '../src/store/schema.ts';

/** Somebody of whom a test needs no more than that they are there. Answers the id. */
export async function addPerson(database: Database, now: Date): Promise<string> {
  const id = secureRandom.token(16);
  await database
    .insertInto('people')
    .values({ id, user_name: id, first_name: 'Ada', last_name: 'Test', created_at: now, updated_at: now })
    .execute();
  return id;
}
