import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { ProblemError } from './api.ts';

export type Change = {
  /** Runs the work, then reads the page's data again. Returns undefined if the service refused. */
  run: <Answer>(work: () => Promise<Answer>) => Promise<Answer | undefined>;
  isRunning: boolean;
  error: ProblemError | undefined;
  reset: () => void;
};

/** One change at a time: a second press while the first is running does nothing. */
export function useChange(): Change {
  const { revalidate } = useRevalidator();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<ProblemError>();
  return {
    isRunning,
    error,
    reset: () => setError(undefined),
    run: async (work) => {
      if (isRunning) return undefined;
      setRunning(true);
      setError(undefined);
      try {
        const answer = await work();
        await revalidate();
        return answer;
      } catch (failure) {
        if (!(failure instanceof ProblemError)) throw failure;
        setError(failure);
        return undefined;
      } finally {
        setRunning(false);
      }
    },
  };
}
