import { typedName } from '@anteroom/contract/typed-names';
import { recoveryAddress } from './addresses.ts';
import { returnUrl } from './flow/context.ts';
import type { FlowState } from './flow/model.ts';

/**
 * Passes a typed user name or e-mail address to the page for a forgotten password or site: through this tab's storage,
 * never in an address, which logs would contain.
 */
const storageKey = 'anteroom_user_name';

/** Stores the typed user name when the visitor follows a link to the page for a forgotten password on this origin. */
export function carryUserName(signal: AbortSignal): void {
  const onClick = ({ target }: MouseEvent): void => {
    const link =
      target instanceof Element && target.closest<HTMLAnchorElement>('a[data-action="forgot-credentials"]');
    const field = document.querySelector<HTMLInputElement>('main input[name="userName"]');
    if (!link || !field || link.origin !== location.origin) return;
    store(typedName(field.value));
  };
  document.addEventListener('click', onClick, { signal });
}

/**
 * Leaves to the page for a forgotten site, which sends the site names to the e-mail address at once. Returns whether the
 * service has such a page.
 */
export function leaveWithEmail(email: string, state: FlowState, locale: string): boolean {
  const address = recoveryAddress(state.context?.siteRecoveryClientUri, locale, returnUrl(state));
  if (address === undefined) return false;
  if (new URL(address).origin === location.origin) store(email);
  location.assign(address);
  return true;
}

function store(typed: string): void {
  try {
    sessionStorage.setItem(storageKey, typed);
  } catch {
    // If storage is blocked, the visitor types the name again.
  }
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
