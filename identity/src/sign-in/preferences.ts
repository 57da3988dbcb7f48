import type { PreferenceCallInput, preferenceCalls } from '@anteroom/contract/preferences';
import type { Exchange } from '../http/exchange.ts';
import type { Handlers } from '../http/implementation.ts';
import { keepPreferences } from '../users/preferences-store.ts';
import type { Services } from '../services.ts';
import { requirePerson } from './visit.ts';

/** What the signed-in person wants otherwise than the rest. */
export function createPreferences({
  database,
}: Pick<Services, 'database'>): Handlers<typeof preferenceCalls> {
  return {
    async setPreferences({ body }: PreferenceCallInput<'setPreferences'>, exchange: Exchange) {
      const person = await requirePerson({ database }, exchange);
      await keepPreferences(database, person.id, body);
      return undefined;
    },
  };
}
