/** Where a typed user name waits for the page of a forgotten password: in this tab alone, and never in an address that is logged. */
const storageKey = 'anteroom_user_name';

/** Keeps the typed user name when the visitor follows the link of a forgotten password to a page of this origin. */
export function carryUserName(signal: AbortSignal): void {
  const onClick = ({ target }: MouseEvent): void => {
    const link =
      target instanceof Element && target.closest<HTMLAnchorElement>('a[data-action="forgot-credentials"]');
    const field = document.querySelector<HTMLInputElement>('main input[name="userName"]');
    if (!link || !field || link.origin !== location.origin) return;
    try {
      sessionStorage.setItem(storageKey, field.value.trim());
    } catch {
      // a browser that keeps nothing lets the visitor type it again
    }
  };
  document.addEventListener('click', onClick, { signal });
}

/** The user name that was typed on the page before, once (WCAG 3.3.7). */
export function takeUserName(): string | undefined {
  try {
    const userName = sessionStorage.getItem(storageKey) ?? undefined;
    sessionStorage.removeItem(storageKey);
    return userName;
  } catch {
    return undefined;
  }
}
