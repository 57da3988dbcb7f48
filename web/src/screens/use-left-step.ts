import { useEffect } from 'react';
import type { FlowState } from '../flow/model.ts';
import { useFlow } from './flow-context.tsx';
import { markLeftStep } from './left-step.ts';

/** The name that the page shows: only one that the visitor typed on it. */
export const findTypedName = ({ context, enteredUserName }: FlowState): string | undefined =>
  context?.userName === undefined ? enteredUserName : undefined;

/** Lets the page continue at this step after a reload, until the step is left. */
export function useLeftStep(): void {
  const enteredUserName = useFlow(findTypedName);
  // A completed sign-in leaves no name.
  const isLeaving = useFlow((state) => state.leavingTo !== undefined);
  useEffect(() => {
    if (isLeaving) return markLeftStep(null);
    markLeftStep({ enteredUserName });
    return () => markLeftStep(null);
  }, [enteredUserName, isLeaving]);
}
