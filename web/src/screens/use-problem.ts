import { useState } from 'react';

export interface Problem<TMessage> {
  /** Undefined: there is none, or it has been cleared. */
  message: TMessage | undefined;
  /** Increases with each message, so that a repeated one is announced again. */
  occurrence: number;
  show: (message: TMessage) => void;
  clear: () => void;
}

/** A message about what went wrong, for an `Alert` or a field. */
export function useProblem<TMessage>(): Problem<TMessage> {
  const [problem, setProblem] = useState<{ message?: TMessage; occurrence: number }>({ occurrence: 0 });
  return {
    message: problem.message,
    occurrence: problem.occurrence,
    show: (message) => setProblem(({ occurrence }) => ({ message, occurrence: occurrence + 1 })),
    clear: () => setProblem(({ occurrence }) => ({ occurrence })),
  };
}
