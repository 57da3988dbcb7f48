import type { Config } from '@anteroom/contract';
import type { ParsedRecoveryAnswer, RecoveryCallInput } from '@anteroom/contract/recovery';
import { createContext, use } from 'react';
import type { RecoveryApi } from '../../api/recovery-client.ts';
import { paths } from '../../paths.ts';
import type { RecoveryPage } from '../../paths.ts';

/** What a mail's link stands for, once the service has been asked. */
export type PasswordLink =
  /** The page was loaded without its token, as after a reload. */
  | { state: 'missing' }
  /** Used up, replaced by a newer one, or too old. */
  | { state: 'invalid' }
  /** The facts are missing when the service did not answer; the token may be good all the same. */
  | { state: 'open'; token: string; facts: ParsedRecoveryAnswer<'openPasswordLink'> | undefined };

/** The application that the visitor came from, as the address says; the service checks it. */
export type Referer = RecoveryCallInput<'getRecoveryContext'>['query'];

/** The address of a recovery page that is told as much as this one was. */
export function pageAddress(page: RecoveryPage, culture: string, referer: Referer): string {
  return paths.recovery(page, { culture, ...referer });
}

/** What is known of a visit to the recovery pages before anything is drawn. */
export interface RecoveryVisit {
  api: RecoveryApi;
  referer: Referer;
  context: ParsedRecoveryAnswer<'getRecoveryContext'>;
  config: Config;
  link: PasswordLink;
  /** The link came with an invitation. */
  isInvitation: boolean;
  /** What was typed on the sign-in page before this one. */
  userName: string | undefined;
}

export const RecoveryVisitContext = createContext<RecoveryVisit | undefined>(undefined);

export function useRecoveryVisit(): RecoveryVisit {
  const visit = use(RecoveryVisitContext);
  if (!visit) throw new Error('A recovery page stands outside its visit');
  return visit;
}
