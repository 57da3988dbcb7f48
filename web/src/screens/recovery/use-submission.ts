import { useState } from 'react';
import type { Failure } from '../../flow/events.ts';

interface State {
  isSending: boolean;
  failure: Failure | undefined;
  /** Increases with each failure, so that a repeated one is announced again. */
  failures: number;
}

export interface Submission extends State {
  /** Makes a call unless one is in flight; resolves to whether it succeeded. */
  send: (call: () => Promise<{ ok: true } | { ok: false; failure: Failure }>) => Promise<boolean>;
  /** The form is gone: its failure no longer matters. */
  forget: () => void;
}

/** The submission of a form: whether it is in flight, and its failure. */
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
