import { todoCallsAtOnce, todoCallsInReserve } from '../flow/constants.ts';

export interface TodoQueue {
  /** Puts sites at the front of the queue, in order; a queued site moves there. */
  add: (sites: readonly string[]) => void;
  /** Queues sites out of view: requested when the browser is idle and nothing else is queued. */
  addWhenIdle: (sites: readonly string[]) => void;
  /** Clears the queue and aborts calls in flight. */
  stop: () => void;
}

type WhenIdle = (callback: () => void) => void;

/** Uses a short delay in browsers without `requestIdleCallback`. */
const whenBrowserIsIdle: WhenIdle = (callback) => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(callback);
  else setTimeout(callback, 100);
};

/**
 * Requests the to-dos of many sites with limited concurrency: the last requested sites first, the others when the
 * browser is idle.
 */
export function createTodoQueue(
  load: (site: string, signal: AbortSignal) => Promise<void>,
  whenIdle: WhenIdle = whenBrowserIsIdle,
): TodoQueue {
  let queued: readonly string[] = [];
  let idle: readonly string[] = [];
  const inFlight = new Set<string>();
  let isIdleAwaited = false;
  let abort = new AbortController();

  function begin(site: string): void {
    inFlight.add(site);
    const { signal } = abort;
    void load(site, signal).finally(() => {
      if (signal.aborted) return;
      inFlight.delete(site);
      next();
    });
  }

  function next(): void {
    while (inFlight.size < todoCallsAtOnce) {
      const [site, ...others] = queued;
      if (site === undefined) return awaitIdle();
      queued = others;
      begin(site);
    }
  }

  function awaitIdle(): void {
    if (isIdleAwaited || idle.length === 0) return;
    isIdleAwaited = true;
    whenIdle(() => {
      isIdleAwaited = false;
      // Leaves slots free for sites that come into view.
      while (queued.length === 0 && inFlight.size < todoCallsAtOnce - todoCallsInReserve) {
        const [site, ...others] = idle;
        if (site === undefined) return;
        idle = others;
        begin(site);
      }
    });
  }

  return {
    add(sites) {
      const added = new Set(sites.filter((site) => !inFlight.has(site)));
      queued = [...added, ...queued.filter((site) => !added.has(site))];
      idle = idle.filter((site) => !added.has(site));
      next();
    },
    addWhenIdle(sites) {
      const known = new Set([...inFlight, ...queued, ...idle]);
      idle = [...idle, ...sites.filter((site) => !known.has(site))];
      next();
    },
    stop() {
      abort.abort();
      abort = new AbortController();
      queued = [];
      idle = [];
      inFlight.clear();
    },
  };
}
