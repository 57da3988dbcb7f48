import type { ReloadOnce } from './parts.ts';

const storageKey = 'anteroom_reloaded_for';

/**
 * Remembers in the session's storage for which part the page was reloaded, so that a part that is gone for good does not reload it for
 * ever. Where storage is blocked nothing is reloaded: a loop would be worse than an error page.
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
      // blocked storage has nothing to forget
    }
  },
};
