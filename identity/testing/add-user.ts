import { secureRandom } from '../src/lib/random.ts';
import type { Database } from '../src/store/schema.ts';

/** Adds a user without a password, e-mail or membership. Returns the id. */
export async function addUser(database: Database, now: Date): Promise<string> {
  const id = secureRandom.token(16);
  await database
    .insertInto('users')
    .values({ id, user_name: id, first_name: 'Ada', last_name: 'Test', created_at: now, updated_at: now })
    .execute();
  return id;
}
