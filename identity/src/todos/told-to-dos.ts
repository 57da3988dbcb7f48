import type { boardSystemCalls } from '@anteroom/contract/board-systems';
import { ContractError } from '../http/errors.ts';
import type { Handlers } from '../http/implementation.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/schema.ts';
import type { BoardSystemKeys } from './board-system-keys.ts';
import { keepToDos } from './keep-to-dos.ts';

/** A clock that goes ahead by more would keep later calls out. */
const clockDifferenceSeconds = 60;

/** Board systems say what awaits people. Every call is one line of the journal: who, when, how many. */
export function createToldToDos({
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
      const { name: boardSystem, mayTellOf } = keys.require(exchange.raw.request.headers);
      // all or nothing: what is refused in part would look as if it were kept
      const foreign = body.toDos.filter(({ site }) => !mayTellOf(site)).length;
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
      const { known, newer } = await keepToDos(database, body.toDos, at);
      const places = new Set(known);
      const unknown = body.toDos.flatMap((_toDos, place) => (places.has(place) ? [] : [place]));
      exchange.log.info(
        {
          event: 'to-dos-told',
          boardSystem,
          at: body.at,
          known: known.length,
          newer,
          unknown: unknown.length,
        },
        'a board system told what awaits people',
      );
      return { known: known.length, unknown };
    },
  };
}
