import type { Log } from '../lib/log.ts';
import { ContractError } from '../http/errors.ts';
import { errandsAtMost, errandsEveryMs } from './figures.ts';

/**
 * Work that goes on after the answer. What was asked for by name or e-mail is looked up here and not in the request, so that
 * an answer costs the same for everybody; and at a beat of its own, so that what a known person costs does not show in the
 * time of the next answer either (attacks and faults, S26, S27).
 */
export type Errands = {
  /** @throws `overloaded` when too much waits. */
  add: (errand: () => Promise<void>) => void;
  /** Does what waits now, one after the other; for the end of the service, and for tests. */
  workOff: () => Promise<void>;
};

export function createErrands(log: Log): Errands {
  let waiting: (() => Promise<void>)[] = [];
  let beat: NodeJS.Timeout | undefined;
  let underWay = Promise.resolve();

  async function workThrough(errands: readonly (() => Promise<void>)[]): Promise<void> {
    for (const errand of errands) {
      await errand().catch((error: unknown) => log.error({ err: error }, 'a recovery message was not sent'));
    }
  }

  function workOff(): Promise<void> {
    clearTimeout(beat);
    beat = undefined;
    const errands = waiting;
    waiting = [];
    underWay = underWay.then(() => workThrough(errands));
    return underWay;
  }

  return {
    add(errand) {
      if (waiting.length >= errandsAtMost) {
        throw new ContractError('overloaded', {
          retryAfterSeconds: Math.ceil(errandsEveryMs / 1000),
          detail: 'too many recovery messages wait',
        });
      }
      waiting.push(errand);
      beat ??= setTimeout(() => void workOff(), errandsEveryMs).unref();
    },
    workOff,
  };
}
