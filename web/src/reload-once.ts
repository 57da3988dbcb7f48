const reloadedKey = 'anteroom_reloaded_for';
export const resumeKey = 'anteroom_resume';

export interface ReloadOnce {
  /**
   * Reloads the page once for a chunk that could not be loaded. False if it has done so before, or if the page could
   * not be loaded either.
   */
  tryReload: (chunk: string) => Promise<boolean>;
  /** Called when the chunk has loaded. If it is missing later, another reload is allowed. */
  arrived: (chunk: string) => void;
}

/**
 * Stores in the session storage which chunk caused a reload, so that a missing chunk does not cause a reload loop. If
 * storage is blocked, the page is never reloaded: an error message is better than a loop.
 */
export const reloadOnce: ReloadOnce = {
  tryReload: async (chunk) =>
    (await isReachable()) &&
    withStorage((storage) => {
      if (storage.getItem(reloadedKey) === chunk) return false;
      storage.setItem(reloadedKey, chunk);
      storage.setItem(resumeKey, chunk);
      location.reload();
      return true;
    }),
  arrived(chunk) {
    withStorage((storage) => storage.getItem(reloadedKey) === chunk && storage.removeItem(reloadedKey));
  },
};

/** Uses the session storage of the tab; false if it is blocked. */
export function withStorage<TResult>(work: (storage: Storage) => TResult): TResult | false {
  try {
    return work(sessionStorage);
  } catch {
    return false;
  }
}

/** For a chunk that no action has requested: does not reload a page in which something is typed. */
export const reloadUntouched: ReloadOnce = {
  ...reloadOnce,
  tryReload: async (chunk) =>
    ![...document.querySelectorAll<HTMLInputElement>('main input')].some(
      ({ value, defaultValue }) => value !== defaultValue,
    ) && reloadOnce.tryReload(chunk),
};

/** Without a connection, a reload would replace the page, and what was typed, with an error page of the browser. */
function isReachable(): Promise<boolean> {
  return fetch(location.pathname, { method: 'HEAD' }).then(
    () => true,
    () => false,
  );
}
