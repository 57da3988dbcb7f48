import type { Database } from '../store/schema.ts';
import { findPersonByName } from '../users/users-store.ts';

/**
 * Whether the `login_hint` of a request names the user. An unknown name is another user's, so that the answer does not
 * reveal which names exist. A request without a hint accepts every user.
 */
export async function isHintedUser(
  database: Database,
  { login_hint: hint }: Readonly<Record<string, unknown>>,
  personId: string,
): Promise<boolean> {
  if (typeof hint !== 'string' || hint === '') return true;
  return (await findPersonByName(database, hint))?.id === personId;
}
