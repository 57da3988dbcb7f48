/**
 * Passes a typed user name to the page for a forgotten password: through this tab's storage, never in an address, which
 * logs would contain.
 */
const storageKey = 'anteroom_user_name';

/** Stores the typed user name when the visitor follows a link to the page for a forgotten password on this origin. */
export function carryUserName(signal: AbortSignal): void {
  const onClick = ({ target }: MouseEvent): void => {
    const link =
      target instanceof Element && target.closest<HTMLAnchorElement>('a[data-action="forgot-credentials"]');
    const field = document.querySelector<HTMLInputElement>('main input[name="userName"]');
    if (!link || !field || link.origin !== location.origin) return;
    try {
      sessionStorage.setItem(storageKey, field.value.trim());
    } catch {
      // If storage is blocked, the visitor types the name again.
    }
  };
  document.addEventListener('click', onClick, { signal });
}

/** Returns the user name from the previous page, once (WCAG 3.3.7). */
export function takeUserName(): string | undefined {
  try {
    const userName = sessionStorage.getItem(storageKey) ?? undefined;
    sessionStorage.removeItem(storageKey);
    return userName;
  } catch {
    return undefined;
  }
}
