import { carryUserName } from '../carried-user-name.ts';

/**
 * Starts click handling that the first screen does not need. A separate chunk, so that the first screen stays small.
 */
export function startLate(): void {
  const { signal } = new AbortController();
  ignoreStraySecondClicks(signal);
  carryUserName(signal);
}

/** The control that a click activates; a label activates its field. */
function findControl(target: EventTarget | null): Element | null {
  if (!(target instanceof Element)) return null;
  return target.closest('label')?.control ?? target.closest('a, button, input, summary');
}

/**
 * Ignores the second click of a double-click if another control has appeared under the pointer since the first: the
 * visitor did not mean to press it. `detail` is the browser's count of clicks at one position within the system's
 * double-click time (usually 500 ms; 0 for the keyboard).
 */
export function ignoreStraySecondClicks(signal: AbortSignal): void {
  let first: Element | null = null;
  const onClick = (event: MouseEvent): void => {
    const control = findControl(event.target);
    if (event.detail === 1) first = control;
    if (event.detail <= 1 || control === first) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('click', onClick, { capture: true, signal });
}
