import type { ProblemError } from '../../../../identity/src/manage/answers.ts';
import { findText, toKey } from '../../texts/texts.ts';

/** The reason in the reader's language, if the service names it with a code; else its English reason. */
export function describeReason({ code, reason }: Pick<ProblemError, 'code' | 'reason'>): string {
  return (code !== undefined && findText(`reasons.${toKey(code)}`)) || reason;
}
