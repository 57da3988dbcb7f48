import type { PreferenceCallInput, preferenceCalls } from '@anteroom/contract/preferences';
import type { Exchange } from '../http/exchange.ts';
import type { Handlers } from '../http/implementation.ts';
import { savePreferences } from '../users/users-store.ts';
import type { Services } from '../services.ts';
import { requirePerson } from './visit.ts';

/** Stores the preferences of the signed-in user. */
export function createPreferences({
  database,
}: Pick<Services, 'database'>): Handlers<typeof preferenceCalls> {
  return {
    async setPreferences({ body }: PreferenceCallInput<'setPreferences'>, exchange: Exchange) {
      const person = await requirePerson({ database }, exchange);
      await savePreferences(database, person.id, body);
      return undefined;
    },
  };
}
