import type { ReloadOnce } from './lazy-chunks.ts';

const storageKey = 'anteroom_reloaded_for';

/**
 * Stores in the session storage which chunk caused a reload, so that a missing chunk does not cause a reload loop. If
 * storage is blocked, the page is never reloaded: an error page is better than a loop.
 */
export const reloadOnce: ReloadOnce = {
  tryReload(chunk) {
    try {
      if (sessionStorage.getItem(storageKey) === chunk) return false;
      sessionStorage.setItem(storageKey, chunk);
    } catch {
      return false;
    }
    location.reload();
    return true;
  },
  arrived(chunk) {
    try {
      if (sessionStorage.getItem(storageKey) === chunk) sessionStorage.removeItem(storageKey);
    } catch {
      // If storage is blocked, there is nothing to delete.
    }
  },
};
