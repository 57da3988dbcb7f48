import { useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';

/** Moves the focus into a new step, including the first one after the page load (WCAG 2.4.3). */
export function StepEntrance({ children }: { children: ReactNode }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The step has already set the focus, for example on an entry of the site list. In a shell, the visitor may have
    // moved it.
    if (place.current?.contains(document.activeElement) || place.current?.closest('[data-shell]')) return;
    // The visitor may have scrolled down in the previous step.
    scrollTo(0, 0);
    focusStep(place.current);
  }, []);
  return <div ref={place}>{children}</div>;
}

/**
 * Matches inputs that the visitor must fill in. Excludes hidden and read-only inputs, inputs outside the tab order, the
 * optional search, and selects, which take effect at once.
 */
const fillable =
  'input:not([type="hidden"]):not([type="search"]):not([readonly]):not([tabindex="-1"]):not(:disabled), textarea:not(:disabled)';

/** Focuses the first input of a step, else its heading (wire contract, "Decisions": focus on a new step). */
export function focusStep(place: ParentNode | null): void {
  const target =
    place?.querySelector<HTMLElement>(fillable) ??
    place?.querySelector<HTMLElement>('h1, h2, [tabindex="-1"]');
  target?.focus();
}
