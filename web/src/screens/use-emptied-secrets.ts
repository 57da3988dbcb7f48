import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { useFlow } from './flow-context.tsx';

/**
 * Empties password fields when a submission has been answered and the form is still there, and focuses the first of them. Without an
 * answer the passwords stay, to be sent again. Also empties the fields when the flow has started again under the form (an ended session,
 * a page that the browser kept), so that no secret outlives the moment it was typed for.
 */
export function useEmptiedSecrets(form: RefObject<HTMLFormElement | null>): void {
  const isLoading = useFlow((state) => state.loading);
  const run = useFlow((state) => state.run);
  // a submission clears the notices of the one before
  const isAnswered = useFlow(({ notifications }) =>
    notifications.every(({ messageKey }) => messageKey !== 'error.serverUnreachable'),
  );
  const before = useRef({ isLoading, run });

  useLayoutEffect(() => {
    const { isLoading: wasLoading, run: runBefore } = before.current;
    before.current = { isLoading, run };
    const hasEnded = wasLoading && !isLoading && isAnswered;
    if (!hasEnded && run === runBefore) return;
    const [first] = emptyPasswords(form.current);
    if (hasEnded) first?.focus();
  }, [isLoading, isAnswered, run, form]);
}

/** Empties the password fields of a form; answers them. */
export function emptyPasswords(form: HTMLFormElement | null): readonly HTMLInputElement[] {
  // by what they are for, since a password that is shown has the type of a text
  const fields = [...(form?.querySelectorAll<HTMLInputElement>('input[autocomplete$="-password"]') ?? [])];
  for (const field of fields) field.value = '';
  return fields;
}
