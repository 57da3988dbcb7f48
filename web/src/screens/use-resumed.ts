import { useEffect, useEffectEvent } from 'react';
import { resumesFor } from '../reloaded.ts';

/** Repeats an action for which the page has been reloaded, because a chunk that the action needs was missing. */
export function useResumed(chunk: string, act: () => void): void {
  const resume = useEffectEvent(act);
  useEffect(() => {
    if (resumesFor(chunk)) resume();
  }, [chunk]);
}
