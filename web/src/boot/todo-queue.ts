import { todoCallsAtOnce } from '../flow/constants.ts';

export interface TodoQueue {
  /** Puts sites at the front of the queue, in their order; one that waits already moves there. */
  want: (sites: readonly string[]) => void;
  /** Forgets what waits and abandons what is under way. */
  stop: () => void;
}

/** Asks for the to-dos of many sites, a few calls at once, what is wanted last first. */
export function createTodoQueue(load: (site: string, signal: AbortSignal) => Promise<void>): TodoQueue {
  let waiting: string[] = [];
  const underWay = new Set<string>();
  let abort = new AbortController();

  function next(): void {
    while (underWay.size < todoCallsAtOnce) {
      const site = waiting.shift();
      if (site === undefined) return;
      underWay.add(site);
      const { signal } = abort;
      void load(site, signal).finally(() => {
        if (signal.aborted) return;
        underWay.delete(site);
        next();
      });
    }
  }

  return {
    want(sites) {
      const wanted = sites.filter((site) => !underWay.has(site));
      waiting = [...wanted, ...waiting.filter((site) => !wanted.includes(site))];
      next();
    },
    stop() {
      abort.abort();
      abort = new AbortController();
      waiting = [];
      underWay.clear();
    },
  };
}
