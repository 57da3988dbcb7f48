import { useState } from 'react';
import type { AccountApi, PresentAccount } from '../../api/account-client.ts';
import type { Failure } from '../../flow/events.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { failureMessage } from '../failure-message.ts';

interface State {
  isSending: boolean;
  /** The message about the last successful change. */
  done: MessageKey | undefined;
  failure: MessageKey | undefined;
  /** The number of failures, so that a repeated failure is announced again. */
  failures: number;
}

/** A call that changes the account. */
type Change<Answer> = () => Promise<{ ok: true; answer: Answer } | { ok: false; failure: Failure }>;

export interface Changes extends State {
  /**
   * Makes a change, unless another is in flight, and reads the account again. Resolves with the answer, or with
   * undefined if the change failed. If the last sign-in is too old, redirects to the sign-in. `done`: the message after
   * a success.
   */
  make: <Answer>(
    change: Change<Answer>,
    options: { done?: MessageKey; failed?: (failure: Failure) => boolean },
  ) => Promise<{ answer: Answer } | undefined>;
}

/** Sends the changes of the account page, one at a time. */
export function useChanges(
  api: Pick<AccountApi, 'read' | 'proofAddress'>,
  onRead: (account: PresentAccount) => void,
): Changes {
  const [state, setState] = useState<State>({
    isSending: false,
    done: undefined,
    failure: undefined,
    failures: 0,
  });

  return {
    ...state,
    async make(change, { done, failed }) {
      if (state.isSending) return undefined;
      setState((before) => ({ ...before, isSending: true, done: undefined, failure: undefined }));
      const result = await change();
      if (!result.ok) {
        if (result.failure.kind === 'unauthorised') location.assign(api.proofAddress('confirm'));
        const isShownAtField = failed?.(result.failure) ?? false;
        const failure = isShownAtField ? undefined : failureMessage(result.failure);
        setState(({ failures }) => ({
          isSending: false,
          done: undefined,
          failure,
          failures: failures + 1,
        }));
        return undefined;
      }
      const read = await api.read();
      if (read.ok) onRead(read.answer);
      setState((before) => ({ ...before, isSending: false, done }));
      return { answer: result.answer };
    },
  };
}
