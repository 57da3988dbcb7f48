import { typedName } from '@anteroom/contract/typed-names';
import { recoveryAddress } from './addresses.ts';
import { returnUrl } from './flow/context.ts';
import type { FlowState } from './flow/model.ts';

/**
 * Passes a typed user name or e-mail address between the sign-in and the pages for a forgotten password or site: through
 * this tab's storage, never in an address, which logs would contain.
 */
const storageKey = 'anteroom_user_name';

/** Stores the user name of the page when the visitor follows a link between the sign-in and recovery on this origin. */
export function carryUserName(signal: AbortSignal): void {
  const onClick = (event: MouseEvent): void => {
    const link = event.target instanceof Element && event.target.closest('a');
    if (!link || link.origin !== location.origin) return;
    if (!/\/(account\/login|recovery\/forgotten-\w+)$/.test(link.pathname)) return;
    // This page stays, so that a later visitor of the tab would see a stored name.
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const shown = document.querySelector<HTMLElement>(
      'main :is(input[name=userName], input[name=email], [data-user-name])',
    );
    if (shown) storeUserName(typedName(shown instanceof HTMLInputElement ? shown.value : shown.textContent));
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
  if (new URL(address).origin === location.origin) storeUserName(email);
  location.assign(address);
  return true;
}

/** Stores the name for the next page of this tab. */
export function storeUserName(typed: string): void {
  try {
    if (typed !== '') sessionStorage.setItem(storageKey, typed);
  } catch {
    // If storage is blocked, the visitor types the name again.
  }
}

/** Returns the user name from the previous page, once (WCAG 3.3.7). Each page calls this, so that no name stays stored. */
export function takeUserName(): string | undefined {
  try {
    // The properties of the storage need fewer bytes than its methods in the inline script.
    const userName = sessionStorage[storageKey] as string | undefined;
    delete sessionStorage[storageKey];
    return userName;
  } catch {
    return undefined;
  }
}
