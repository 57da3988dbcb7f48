import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import type { Failure } from '../../flow/events.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useProblem } from '../use-problem.ts';
import type { Problem } from '../use-problem.ts';
import { useAccount } from './account-context.ts';

interface FactorSection {
  /** The content in place of the form that sets the factor up. */
  place: RefObject<HTMLDivElement | null>;
  problem: Problem<MessageKey>;
  remove: () => void;
}

interface Removal {
  send: () => Promise<{ ok: true; answer: undefined } | { ok: false; failure: Failure }>;
  done: MessageKey;
  /** The message if a site of the user requires a second factor and this is the last one. */
  required: MessageKey;
}

/** The section of a second factor, which is set up in a form and removed by a button. */
export function useFactorSection(isFormOpen: boolean, { send, done, required }: Removal): FactorSection {
  const { changes } = useAccount();
  const problem = useProblem<MessageKey>();
  const place = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  // Focuses the first button, because the pressed one has disappeared with the closed form.
  useLayoutEffect(() => {
    if (wasOpen.current && !isFormOpen) place.current?.querySelector('button')?.focus();
    wasOpen.current = isFormOpen;
  }, [isFormOpen]);

  const remove = (): void => {
    problem.clear();
    void changes.make(send, {
      done,
      failed: ({ code }) => {
        if (code !== 'site_requires_mfa') return false;
        problem.show(required);
        return true;
      },
    });
  };
  return { place, problem, remove };
}
