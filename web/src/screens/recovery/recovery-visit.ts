import type { Config } from '@anteroom/contract';
import type { ParsedRecoveryAnswer, RecoveryCallInput, recoveryCalls } from '@anteroom/contract/recovery';
import { createContext, use, useState } from 'react';
import type { Client } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import type { RecoveryPage } from '../../paths.ts';
import type { Failure } from '../../flow/events.ts';

/** The state of a recovery link, as reported by the service. */
export type PasswordLink =
  /** The page was loaded without its token, for example after a reload. */
  | { state: 'missing' }
  /** Used, superseded or expired. */
  | { state: 'invalid' }
  /** The link can be valid. `facts` is undefined if the service did not answer. */
  | { state: 'open'; token: string; facts: ParsedRecoveryAnswer<'openPasswordLink'> | undefined };

/** The application from which the visitor came, from the page's address; the service validates it. */
export type Referer = RecoveryCallInput<'getRecoveryContext'>['query'];

/** The address of a recovery page with the same parameters as the current one. */
export function pageAddress(page: RecoveryPage, culture: string, referer: Referer): string {
  return paths.recovery(page, { culture, ...referer });
}

export type RecoveryApi = Pick<Client<typeof recoveryCalls>, 'call'>;

/** The data of a visit to a recovery page that is loaded before the first render. */
export interface RecoveryVisit {
  api: RecoveryApi;
  referer: Referer;
  context: ParsedRecoveryAnswer<'getRecoveryContext'>;
  config: Config;
  link: PasswordLink;
  /** The link is from an invitation. */
  isInvitation: boolean;
  /** The name or e-mail address that was typed on the sign-in page. */
  userName: string | undefined;
}

export const RecoveryVisitContext = createContext<RecoveryVisit | undefined>(undefined);

export function useRecoveryVisit(): RecoveryVisit {
  const visit = use(RecoveryVisitContext);
  if (!visit) throw new Error('A recovery page stands outside its visit');
  return visit;
}

interface State {
  isSending: boolean;
  failure: Failure | undefined;
  /** Increases with each failure, so that a repeated one is announced again. */
  failures: number;
}

export interface Submission extends State {
  /** Makes a call unless one is in flight; resolves to whether it succeeded. */
  send: (call: () => Promise<{ ok: true } | { ok: false; failure: Failure }>) => Promise<boolean>;
  /** Clears the failure, because its form is no longer shown. */
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
