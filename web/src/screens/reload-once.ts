import type { ReloadOnce } from './parts.ts';

const storageKey = 'anteroom_reloaded_for';

/**
 * Stores in the session storage which part caused a reload, so that a missing part does not cause a reload loop. If
 * storage is blocked, the page is never reloaded: an error page is better than a loop.
 */
export const reloadOnce: ReloadOnce = {
  tryReload(part) {
    try {
      if (sessionStorage.getItem(storageKey) === part) return false;
      sessionStorage.setItem(storageKey, part);
    } catch {
      return false;
    }
    location.reload();
    return true;
  },
  arrived(part) {
    try {
      if (sessionStorage.getItem(storageKey) === part) sessionStorage.removeItem(storageKey);
    } catch {
      // If storage is blocked, there is nothing to delete.
    }
  },
};
