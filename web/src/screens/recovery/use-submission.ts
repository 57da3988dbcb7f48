import { useState } from 'react';
import type { Failure } from '../../flow/events.ts';

interface State {
  isSending: boolean;
  failure: Failure | undefined;
  /** Grows with each failure, so that the second of two equal ones is told again. */
  failures: number;
}

export interface Submission extends State {
  /** Makes a call, unless one is under way; resolves with whether it succeeded. */
  send: (call: () => Promise<{ ok: true } | { ok: false; failure: Failure }>) => Promise<boolean>;
  /** The form is left behind: what failed is no news any more. */
  forget: () => void;
}

/** One form's way to the service: whether it is being sent, and what came back. */
export function useSubmission(): Submission {
  const [state, setState] = useState<State>({ isSending: false, failure: undefined, failures: 0 });
  return {
    ...state,
    async send(call) {
      if (state.isSending) return false;
      setState((before) => ({ ...before, isSending: true, failure: undefined }));
      const result = await call();
      setState((before) =>
        result.ok
          ? { ...before, isSending: false }
          : { isSending: false, failure: result.failure, failures: before.failures + 1 },
      );
      return result.ok;
    },
    forget: () => setState((before) => ({ ...before, failure: undefined })),
  };
}
