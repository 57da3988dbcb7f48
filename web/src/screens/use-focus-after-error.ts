import { useLayoutEffect } from 'react';
import type { RefObject } from 'react';
import { useFlow } from './flow-context.tsx';

/** Focuses a field after a failed submission, for the next try. */
export function useFocusAfterError(field: RefObject<HTMLInputElement | null>): void {
  const occurrence = useFlow((state) => state.error?.occurrence);
  useLayoutEffect(() => {
    if (occurrence !== undefined) field.current?.focus();
  }, [occurrence, field]);
}
