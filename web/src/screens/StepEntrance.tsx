import { useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { focusStep } from './focus.ts';

/** Moves the focus into a new step, also on the first page load (WCAG 2.4.3). */
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
