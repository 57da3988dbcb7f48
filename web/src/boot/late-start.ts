import { carryUserName } from '../carried-user-name.ts';
import { loadTexts } from '../i18n/current-language.ts';
import { supportsPasskeys } from '../screens/passkey-support.ts';
import { keepTyped, restoreTyped } from '../typed-fields.ts';

export { leaveWithEmail } from '../carried-user-name.ts';
export { reloadOnce as once, reloadUntouched as untouched } from '../reload-once.ts';

/** Loads the files of the page that offers a passkey, before the browser navigates there. */
export const loadOffer = (): Promise<unknown> =>
  Promise.all([import('./start-standalone.ts'), import('./start-passkey.tsx')]).catch(() => {});

/**
 * Starts click handling that the first screen does not need. A separate chunk, so that the first screen stays small.
 */
export function startLate(): void {
  const { signal } = new AbortController();
  ignoreStraySecondClicks(signal);
  holdMessagesWhilePressed(signal);
  carryUserName(signal);
  keepTyped(signal);
  restoreTyped();
  // While the visitor types, no call waits for these files.
  document.addEventListener('input', loadAhead, { once: true, signal });
}

/**
 * Loads what the next steps and the user's next page would wait for: the passkey button after site entry, the check for a
 * lost answer, the code of the site list, and the file of the styles, which a page with a form has inline.
 */
function loadAhead(): void {
  const { application } = document.querySelector<HTMLElement>('[data-application]')?.dataset ?? {};
  const hasPasskeyNext = document.querySelector('[data-step=site-entry]') && supportsPasskeys();
  Promise.all([
    ...(hasPasskeyNext ? [import('../screens/passkey/load-passkey-button.tsx'), loadTexts('passkey')] : []),
    ...(application
      ? [import('./find-lost-answer.ts'), fetch(application), import('./site-list-effects.ts')]
      : []),
  ]).catch(() => {});
}

/** The control that a click activates; a label activates its field. */
function findControl(target: EventTarget | null): Element | null {
  if (!(target instanceof Element)) return null;
  return target.closest('label')?.control ?? target.closest('a, button, input, summary');
}

/**
 * Ignores the second click of a double-click if another control has appeared under the pointer since the first: the
 * visitor did not mean to press it. `detail` is the browser's count of clicks at one position within the system's
 * double-click time (usually 500 ms; 0 for the keyboard). Clicks with a key press between them are no double-click, although
 * WebKit counts them as one: a program that types for the user presses that fast.
 */
export function ignoreStraySecondClicks(signal: AbortSignal): void {
  let first: Element | null | undefined;
  const onClick = (event: MouseEvent): void => {
    const control = findControl(event.target);
    if (event.detail === 1) first = control;
    if (event.detail <= 1 || first === undefined || control === first) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onKey = (): void => {
    first = undefined;
  };
  document.addEventListener('click', onClick, { capture: true, signal });
  document.addEventListener('keydown', onKey, { capture: true, signal });
}

/** The longest usual double-click time of a system. */
const doubleClickMs = 500;

/**
 * Keeps the height of every message of the step while a pointer is down and for the time of a double-click, so that a
 * longer message moves no control under a press or a second click.
 */
export function holdMessagesWhilePressed(signal: AbortSignal): void {
  let held: readonly HTMLElement[] = [];
  let timer: number | undefined;
  const release = (): void => {
    for (const { style } of held) style.blockSize = style.overflow = '';
    held = [];
  };
  const hold = (): void => {
    window.clearTimeout(timer);
    // A release here would move the control under this press.
    if (held[0]?.isConnected) return;
    // A room inside another one can grow within it.
    held = [...document.querySelectorAll<HTMLElement>('main [data-room]')].filter(
      (room) => !room.parentElement?.closest('[data-room]'),
    );
    const heights = held.map(({ offsetHeight }) => offsetHeight);
    held.forEach(({ style }, index) => {
      style.blockSize = `${heights[index]}px`;
      style.overflow = 'clip';
    });
  };
  const releaseLater = (): void => {
    timer = window.setTimeout(release, doubleClickMs);
  };
  const capture = { capture: true, signal };
  document.addEventListener('pointerdown', hold, capture);
  document.addEventListener('pointerup', releaseLater, capture);
  document.addEventListener('pointercancel', releaseLater, capture);
}
