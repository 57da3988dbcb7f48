import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { useFlow } from './flow-context.tsx';

/**
 * Clears the password fields when a submission has been answered and the form is still shown, and focuses the first
 * field. Without an answer the passwords stay, so that the visitor can send them again. Also clears the fields when the
 * flow has restarted (an ended session, a page from the back/forward cache), so that no secret stays longer than
 * needed.
 */
export function useEmptiedSecrets(form: RefObject<HTMLFormElement | null>): void {
  const isLoading = useFlow((state) => state.loading);
  const run = useFlow((state) => state.run);
  // A submission clears the notifications of the previous one.
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

/** Clears and returns the password fields of a form. */
export function emptyPasswords(form: HTMLFormElement | null): readonly HTMLInputElement[] {
  // Selects by `autocomplete`, because a visible password has the type text. Passkeys add a word to it.
  const fields = [...(form?.querySelectorAll<HTMLInputElement>('input[autocomplete*="-password"]') ?? [])];
  for (const field of fields) field.value = '';
  return fields;
}
