import type { boardSystemCalls } from '@anteroom/contract/board-systems';
import { ContractError } from '../http/errors.ts';
import type { Handlers } from '../http/implementation.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/schema.ts';
import type { BoardSystemKeys } from './board-system-keys.ts';
import { saveToDos } from './save-to-dos.ts';

/** A larger clock difference would block later calls, whose timestamps would seem older. */
const clockDifferenceSeconds = 60;

/** Receives to-dos from board systems. Each call is logged: who, when, how many. */
export function createPushedToDos({
  database,
  clock,
  keys,
}: {
  database: Database;
  clock: Clock;
  keys: BoardSystemKeys;
}): Handlers<typeof boardSystemCalls> {
  return {
    async putToDos({ body }, exchange) {
      const { name: boardSystem, canPushTo } = keys.require(exchange.raw.request.headers);
      // All or nothing: a partly rejected call would look successful.
      const foreign = body.toDos.filter(({ site }) => !canPushTo(site)).length;
      if (foreign > 0) {
        exchange.log.warn(
          { event: 'to-dos-refused', boardSystem, foreign },
          'a board system told of sites that are not its own',
        );
        throw new ContractError('forbidden', { detail: 'the key is not for all of these sites' });
      }
      const at = new Date(body.at);
      if (at.getTime() > clock.now().getTime() + clockDifferenceSeconds * 1000) {
        throw new ContractError('validation_failed', { detail: 'body.at is in the future' });
      }
      const { known, newer } = await saveToDos(database, body.toDos, at);
      const knownIndexes = new Set(known);
      const unknown = body.toDos.flatMap((_toDos, index) => (knownIndexes.has(index) ? [] : [index]));
      exchange.log.info(
        {
          event: 'to-dos-received',
          boardSystem,
          at: body.at,
          known: known.length,
          newer,
          unknown: unknown.length,
        },
        'received to-dos from a board system',
      );
      return { known: known.length, unknown };
    },
  };
}
