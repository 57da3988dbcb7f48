import { todoCallsAtOnce, todoCallsInReserve } from '../flow/constants.ts';

export interface TodoQueue {
  /** Puts sites at the front of the queue, in their order; one that waits already moves there. */
  want: (sites: readonly string[]) => void;
  /** Sites that nobody has looked at yet: asked for when the browser is idle and nothing else waits. */
  wantWhenIdle: (sites: readonly string[]) => void;
  /** Forgets what waits and abandons what is under way. */
  stop: () => void;
}

type WhenIdle = (callback: () => void) => void;

/** Some browsers do not say when they are idle: there, a little later than at once. */
const whenBrowserIsIdle: WhenIdle = (callback) => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(callback);
  else setTimeout(callback, 100);
};

/** Asks for the to-dos of many sites, a few calls at once: what is wanted last first, and everything else when there is time. */
export function createTodoQueue(
  load: (site: string, signal: AbortSignal) => Promise<void>,
  whenIdle: WhenIdle = whenBrowserIsIdle,
): TodoQueue {
  let wanted: readonly string[] = [];
  let idle: readonly string[] = [];
  const underWay = new Set<string>();
  let isIdleAwaited = false;
  let abort = new AbortController();

  function begin(site: string): void {
    underWay.add(site);
    const { signal } = abort;
    void load(site, signal).finally(() => {
      if (signal.aborted) return;
      underWay.delete(site);
      next();
    });
  }

  function next(): void {
    while (underWay.size < todoCallsAtOnce) {
      const [site, ...others] = wanted;
      if (site === undefined) return awaitIdle();
      wanted = others;
      begin(site);
    }
  }

  function awaitIdle(): void {
    if (isIdleAwaited || idle.length === 0) return;
    isIdleAwaited = true;
    whenIdle(() => {
      isIdleAwaited = false;
      // what comes into view finds a free place at once
      while (wanted.length === 0 && underWay.size < todoCallsAtOnce - todoCallsInReserve) {
        const [site, ...others] = idle;
        if (site === undefined) return;
        idle = others;
        begin(site);
      }
    });
  }

  return {
    want(sites) {
      const added = new Set(sites.filter((site) => !underWay.has(site)));
      wanted = [...added, ...wanted.filter((site) => !added.has(site))];
      idle = idle.filter((site) => !added.has(site));
      next();
    },
    wantWhenIdle(sites) {
      const known = new Set([...underWay, ...wanted, ...idle]);
      idle = [...idle, ...sites.filter((site) => !known.has(site))];
      next();
    },
    stop() {
      abort.abort();
      abort = new AbortController();
      wanted = [];
      idle = [];
      underWay.clear();
    },
  };
}
