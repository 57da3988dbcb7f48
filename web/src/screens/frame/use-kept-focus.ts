import { useEffect } from 'react';
import { focusStep } from '../focus.ts';
import { useFlowSubscription } from '../flow-context.tsx';

/**
 * Brings the focus back into the step when what had it has gone: a dismissed notification, a link that a countdown took away.
 * A keyboard would otherwise begin again at the top of the page.
 */
export function useKeptFocus(): void {
  const subscribe = useFlowSubscription();
  useEffect(() => {
    let lastFocused: EventTarget | null = null;
    const remember = (event: FocusEvent): void => {
      lastFocused = event.target;
    };
    const bringBack = (): void => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && lastFocused instanceof Element && !lastFocused.isConnected)
        focusStep(document.querySelector('main'));
    };
    document.addEventListener('focusin', remember);
    // after React has drawn the change
    const unsubscribe = subscribe(() => requestAnimationFrame(bringBack));
    return () => {
      document.removeEventListener('focusin', remember);
      unsubscribe();
    };
  }, [subscribe]);
}
