/** Parts of the application that are fetched when they are needed, or a little before. */

export interface ReloadOnce {
  /** Reloads the page for a part that could not be fetched, once; false when that has been tried already. */
  tryReload: (part: string) => boolean;
  /** The part is there: should it go missing once more, it may be tried once more. */
  arrived: (part: string) => void;
}

export interface Parts<TName extends string, TPart> {
  /** The part when it is there; 'failed' when it could not be fetched; undefined while it is on its way. */
  find: (name: TName) => TPart | 'failed' | undefined;
  /** Fetches a part that may be needed soon. A failure is nothing yet: it is fetched again when it is needed. */
  prefetch: (name: TName) => void;
  /** Fetches a part that is needed now; resolves when it is there or cannot be had. */
  load: (name: TName) => Promise<void>;
  subscribe: (listener: () => void) => () => void;
}

/**
 * After a release an open page asks for files that are no longer there. A new load of the page knows the new ones, so it is reloaded,
 * once; if the part is not to be had even then, it has failed.
 */
export function createParts<TName extends string, TPart extends object>(
  included: Readonly<Partial<Record<TName, TPart>>>,
  fetchers: Readonly<Partial<Record<TName, () => Promise<TPart>>>>,
  reloadOnce: ReloadOnce,
): Parts<TName, TPart> {
  const fetched = new Map<TName, TPart | 'failed'>();
  const underWay = new Map<TName, Promise<void>>();
  const listeners = new Set<() => void>();

  const find = (name: TName): TPart | 'failed' | undefined => included[name] ?? fetched.get(name);

  function settle(name: TName, part: TPart | 'failed'): void {
    fetched.set(name, part);
    for (const listener of listeners) listener();
  }

  async function fetchPart(name: TName): Promise<void> {
    const part = await fetchers[name]?.();
    if (!part) throw new Error(`There is no part ${name}`);
    reloadOnce.arrived(name);
    settle(name, part);
  }

  function fetchOnce(name: TName): Promise<void> {
    const known = find(name);
    if (known !== undefined && known !== 'failed') return Promise.resolve();
    const fetching = underWay.get(name) ?? fetchPart(name).finally(() => underWay.delete(name));
    underWay.set(name, fetching);
    return fetching;
  }

  return {
    find,
    prefetch: (name) => void fetchOnce(name).catch(() => {}),
    async load(name) {
      try {
        // a second try mends a connection that was lost for a moment, and a fetch ahead that was about to fail
        await fetchOnce(name).catch(() => fetchOnce(name));
      } catch {
        // while the page reloads, what is on it stays
        if (reloadOnce.tryReload(name)) return new Promise<never>(() => {});
        settle(name, 'failed');
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
