/** Chunks of the application, loaded on demand or ahead of time. */

import type { StoreApi } from 'zustand/vanilla';
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

/**
 * The store for the screens. While the chunk of the next page loads, the screens see the state in which the visitor left
 * the page before, so that this page stays with its progress indicator instead of an empty card.
 */
export function createShownStore<TPage extends string, TState extends { page?: TPage | undefined }>(
  store: StoreApi<TState>,
  { find, load, subscribe }: LazyChunks<TPage, object>,
): StoreApi<TState> {
  const isMissing = ({ page }: TState): boolean => page !== undefined && find(page) === undefined;
  let shown = store.getState();
  store.subscribe((state, { page }) => {
    if (state.page !== undefined && state.page !== page && isMissing(state)) void load(state.page);
  });
  return {
    ...store,
    getState() {
      const state = store.getState();
      if (state.page === shown.page || !isMissing(state)) shown = state;
      return shown;
    },
    subscribe(listener) {
      const unsubscribe = store.subscribe(listener);
      const stop = subscribe(() => listener(store.getState(), shown));
      return () => {
        unsubscribe();
        stop();
      };
    },
  };
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
    if (!chunk) throw new Error(`No chunk ${name}`);
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
