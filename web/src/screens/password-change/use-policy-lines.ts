import { useEffect, useMemo } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { useFlow, useSend } from '../flow-context.tsx';
import { describePolicy } from '../policy-text.ts';
import type { PasswordPolicy } from '@anteroom/contract';
import type { PolicyText } from '../policy-text.ts';

/** The rules of the new password, and the same in words, if the service names any; a rule that has no words is reported. */
export function usePolicyLines(): { policy: PasswordPolicy | undefined; lines: readonly PolicyText[] } {
  const { find } = useLanguage();
  const send = useSend();
  const policy = useFlow((state) => state.passwordPolicy ?? state.context?.passwordPolicy);
  const { lines, missing } = useMemo(() => describePolicy(policy, find), [policy, find]);

  useEffect(() => {
    for (const what of missing) send({ type: 'TEXT_MISSING', what });
  }, [missing, send]);

  return { policy, lines };
}
