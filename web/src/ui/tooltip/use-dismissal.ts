import { useEffect } from 'react';
import type { RefObject } from 'react';

/** Closes an open popup on the next click outside `place` and on Escape (WCAG 1.4.13). */
export function useDismissal(isOpen: boolean, place: RefObject<Element | null>, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const closeElsewhere = (event: MouseEvent): void => {
      if (!(event.target instanceof Node && place.current?.contains(event.target))) close();
    };
    const closeOnEscape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') close();
    };
    document.addEventListener('click', closeElsewhere);
    document.addEventListener('keydown', closeOnEscape);
    return () => {
      document.removeEventListener('click', closeElsewhere);
      document.removeEventListener('keydown', closeOnEscape);
    };
  }, [isOpen, place, close]);
}
