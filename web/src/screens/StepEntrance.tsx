import { useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { focusStep } from './focus.ts';

/** Takes the focus into a step when it is entered, also on the first page load (WCAG 2.4.3). */
export function StepEntrance({ children }: { children: ReactNode }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // what stands inside may know better: an entry of the site list that asks for the focus
    if (place.current?.contains(document.activeElement)) return;
    // from its top: the visitor may have been at the foot of the step before
    scrollTo(0, 0);
    focusStep(place.current);
  }, []);
  return <div ref={place}>{children}</div>;
}
