/** What a click activates: a label stands for its field. */
function findControl(target: EventTarget | null): Element | null {
  if (!(target instanceof Element)) return null;
  return target.closest('label')?.control ?? target.closest('a, button, input, summary');
}

/**
 * Ignores the second click of a double-click when another control has come under the pointer since the first: nobody meant to press what
 * they had not seen. The browser counts the clicks of one place (`detail`: by the time that the visitor's system allows for a
 * double-click, usually 500 ms; 0 for the keyboard).
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
