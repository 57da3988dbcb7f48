import { useLayoutEffect } from 'react';
import type { RefObject } from 'react';
import { useFlow } from './flow-context.tsx';

/** Takes the focus to a field when a submission has failed, so that the next try begins there. */
export function useFocusAfterError(field: RefObject<HTMLInputElement | null>): void {
  const occurrence = useFlow((state) => state.error?.occurrence);
  useLayoutEffect(() => {
    if (occurrence !== undefined) field.current?.focus();
  }, [occurrence, field]);
}
