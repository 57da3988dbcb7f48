/** Chunks of the application, loaded on demand or ahead of time. */

import { requirePart } from '../late-part.ts';

export interface LazyChunks<TName extends string, TChunk> {
  /** The chunk; 'failed' if it could not be loaded; undefined while it is loading. */
  find: (name: TName) => TChunk | 'failed' | undefined;
  /** Loads a chunk that may be needed soon. A failure is ignored: the chunk is loaded again when it is needed. */
  prefetch: (name: TName) => void;
  /** Loads a chunk that is needed now. Resolves when it has loaded or failed. */
  load: (name: TName) => Promise<void>;
  subscribe: (listener: () => void) => () => void;
}

export function createLazyChunks<TName extends string, TChunk extends object>(
  included: Readonly<Partial<Record<TName, TChunk>>>,
  fetchers: Readonly<Partial<Record<TName, () => Promise<TChunk>>>>,
): LazyChunks<TName, TChunk> {
  const fetched = new Map<TName, TChunk | 'failed'>();
  const underWay = new Map<TName, Promise<void>>();
  const listeners = new Set<() => void>();

  const find = (name: TName): TChunk | 'failed' | undefined => included[name] ?? fetched.get(name);

  function settle(name: TName, chunk: TChunk | 'failed'): void {
    fetched.set(name, chunk);
    for (const listener of listeners) listener();
  }

  async function fetchChunk(name: TName): Promise<void> {
    const chunk = await fetchers[name]?.();
    if (!chunk) throw new Error(`There is no chunk ${name}`);
    settle(name, chunk);
  }

  function fetchOnce(name: TName): Promise<void> {
    const known = find(name);
    if (known !== undefined && known !== 'failed') return Promise.resolve();
    const fetching = underWay.get(name) ?? fetchChunk(name).finally(() => underWay.delete(name));
    underWay.set(name, fetching);
    return fetching;
  }

  return {
    find,
    prefetch: (name) => void fetchOnce(name).catch(() => {}),
    async load(name) {
      try {
        await requirePart(name, () => fetchOnce(name));
      } catch {
        settle(name, 'failed');
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
