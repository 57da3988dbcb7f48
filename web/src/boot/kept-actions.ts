/** Controls whose action belongs to the application. Other links work without it. */
const ours = 'button[type=button], [data-action=back-to-site], [data-action=not-your-site]';

/**
 * Keeps what a visitor does before the application has started. The button of a submitted form shows progress
 * meanwhile. Returns a function that ends this and presses the same controls in order.
 */
export function keepActions(): () => void {
  const kept: HTMLElement[] = [];
  const end = new AbortController();
  const { signal } = end;
  document.addEventListener(
    'click',
    (event) => {
      const control = (event.target as Element).closest<HTMLElement>(ours);
      // The browser handles a click that opens a new tab or window.
      if (!control || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      kept.push(control);
    },
    { signal },
  );
  document.addEventListener(
    'submit',
    (event) => {
      event.preventDefault();
      const button = (event.target as Element).querySelector('button[type=submit]');
      if (!(button instanceof HTMLElement) || kept.includes(button)) return;
      button.setAttribute('aria-disabled', 'true');
      button.dataset['kept'] = '';
      kept.push(button);
    },
    { signal },
  );
  return () => {
    end.abort();
    for (const control of kept) {
      control.removeAttribute('aria-disabled');
      control.click();
    }
  };
}
