/** Chunks of the application, loaded on demand or ahead of time. */

export interface ReloadOnce {
  /** Reloads the page once for a part that could not be loaded; false if it has done so before. */
  tryReload: (part: string) => boolean;
  /** Called when the part has loaded. If it is missing later, another reload is allowed. */
  arrived: (part: string) => void;
}

export interface Parts<TName extends string, TPart> {
  /** The part; 'failed' if it could not be loaded; undefined while it is loading. */
  find: (name: TName) => TPart | 'failed' | undefined;
  /** Loads a part that may be needed soon. A failure is ignored: the part is loaded again when it is needed. */
  prefetch: (name: TName) => void;
  /** Loads a part that is needed now. Resolves when it has loaded or failed. */
  load: (name: TName) => Promise<void>;
  subscribe: (listener: () => void) => () => void;
}

/**
 * After a release, an open page requests files that no longer exist. Reloading the page once fixes that; if the part is
 * still missing, it has failed.
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
        // The second try is for a brief loss of the connection, and for a prefetch in flight that fails.
        await fetchOnce(name).catch(() => fetchOnce(name));
      } catch {
        // Never resolves: the page stays visible while it reloads.
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
