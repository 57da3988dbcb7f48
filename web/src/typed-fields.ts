import { withStorage } from './reload-once.ts';

const storageKey = 'anteroom_typed';

/** The fields whose values may be stored: no passwords, no codes. */
const storableFields = 'main input:is([name=site],[name=userName],[name=email],[name=phoneNumber])';

/**
 * Stores what is typed when the page is left, for a reload and for the browser's Back and Forward. A sign-in that goes on
 * elsewhere or that is on a public computer leaves nothing.
 */
export function keepTyped(signal: AbortSignal): void {
  const onLeave = (): void => {
    const isOver = document.querySelector(
      'main[data-loading=true], main [name=publicComputerSignIn]:checked',
    );
    withStorage((storage) =>
      isOver ? storage.removeItem(storageKey) : storage.setItem(storageKey, JSON.stringify(findTyped())),
    );
  };
  window.addEventListener('pagehide', onLeave, { signal });
}

function findTyped(): Record<string, string> {
  const fields = [...document.querySelectorAll<HTMLInputElement>(storableFields)];
  const userName = document.querySelector('main [data-user-name]')?.textContent;
  return {
    ...(userName && { userName }),
    ...Object.fromEntries(fields.map(({ name, value }) => [name, value])),
  };
}

/**
 * Fills in what was typed before a reload, Back or Forward, where the field is still empty. Another visitor of the tab
 * who opens the page anew does not see it.
 */
export function restoreTyped(): void {
  const stored = withStorage((storage) => {
    const value = storage.getItem(storageKey);
    storage.removeItem(storageKey);
    return value;
  });
  const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (!stored || arrival?.type === 'navigate') return;
  const typed = JSON.parse(stored) as Record<string, string>;
  for (const field of document.querySelectorAll<HTMLInputElement>(storableFields)) {
    const value = typed[field.name];
    if (!value || field.readOnly || field.value !== field.defaultValue) continue;
    field.value = value;
    // Skips the hidden password field for password managers. Once the visitor uses the page, the focus stays: the name that
    // the visitor is typing would otherwise go into the password field.
    if (field === document.activeElement && !navigator.userActivation?.hasBeenActive)
      document.querySelector<HTMLElement>('main input[name=password]:not([tabindex])')?.focus();
  }
}
