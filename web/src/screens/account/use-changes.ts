import type { ErrorCode } from '@anteroom/contract';
import { useState } from 'react';
import type { AccountApi, PresentAccount } from '../../api/account-client.ts';
import type { Failure } from '../../flow/events.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { failureMessage } from '../failure-message.ts';

interface State {
  isSending: boolean;
  /** The row of the last change, which shows its message. */
  row: string | undefined;
  /** The message about the last successful change. */
  done: MessageKey | undefined;
  failure: MessageKey | undefined;
  /** The number of finished changes, so that a repeated failure is announced again. */
  occurrence: number;
}

/** A call that changes the account. */
type Change<Answer> = () => Promise<{ ok: true; answer: Answer } | { ok: false; failure: Failure }>;

interface ChangeOptions {
  /** The message after a success. */
  done?: MessageKey;
  /** The messages of failures that this change can have. */
  refusals?: Partial<Record<ErrorCode, MessageKey>>;
  /** Explains a failure: returns its message, or true if it is shown at a field. */
  failed?: (failure: Failure) => MessageKey | boolean;
  /** The row of the message after a success, if the row of the change disappears. */
  doneAt?: string;
}

export interface Changes extends State {
  /**
   * Makes a change, unless another is in flight, and reads the account again. Resolves with the answer, or with
   * undefined if the change failed. If the session has ended or its sign-in is too old, redirects to the sign-in.
   */
  make: <Answer>(
    row: string,
    change: Change<Answer>,
    options?: ChangeOptions,
  ) => Promise<{ answer: Answer } | undefined>;
}

/** Sends the changes of the account page, one at a time. */
export function useChanges(
  api: Pick<AccountApi, 'read' | 'proofAddress'>,
  onRead: (account: PresentAccount) => void,
): Changes {
  const [state, setState] = useState<State>({
    isSending: false,
    row: undefined,
    done: undefined,
    failure: undefined,
    occurrence: 0,
  });
  const settle = (more: Pick<State, 'row' | 'done' | 'failure'>): void =>
    setState((before) => ({ ...before, ...more, isSending: false, occurrence: before.occurrence + 1 }));

  return {
    ...state,
    async make(row, change, { done, refusals, failed, doneAt = row } = {}) {
      if (state.isSending) return undefined;
      setState((before) => ({ ...before, isSending: true, row, done: undefined, failure: undefined }));
      const result = await change();
      if (!result.ok) {
        const { failure } = result;
        // Without the session of this page, its anti-forgery token is not accepted either.
        if (failure.kind === 'unauthorised' || failure.code === 'csrf_failed') {
          location.assign(api.proofAddress('confirm'));
          return undefined;
        }
        const explained = failed?.(failure) || (failure.code && refusals?.[failure.code]);
        const message = explained === true ? undefined : (explained ?? failureMessage(failure));
        settle({ row, done: undefined, failure: message });
        return undefined;
      }
      const read = await api.read();
      if (read.ok) onRead(read.answer);
      settle({ row: doneAt, done, failure: undefined });
      return { answer: result.answer };
    },
  };
}
