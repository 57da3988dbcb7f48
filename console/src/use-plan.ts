import { useEffect, useState } from 'react';
import { ProblemError } from './api.ts';

/** What the service would do, from its dry run, asked once when the panel opens. */
export function usePlan<Plan>(ask: () => Promise<Plan>): {
  plan: Plan | undefined;
  error: ProblemError | undefined;
} {
  const [found, setFound] = useState<{ plan?: Plan; error?: ProblemError }>({});
  const [first] = useState(() => ask);
  useEffect(() => {
    let isOpen = true;
    first().then(
      (plan) => isOpen && setFound({ plan }),
      (error: unknown) => isOpen && error instanceof ProblemError && setFound({ error }),
    );
    return () => {
      isOpen = false;
    };
  }, [first]);
  return { plan: found.plan, error: found.error };
}
