import { useEffect, useMemo } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { useFlow, useSend } from '../flow-context.tsx';
import { PolicyList } from '../PolicyList.tsx';
import { describePolicy } from '../policy-text.ts';

/** The rules of the new password, if the service names any. */
export function PolicyLines({ id }: { id: string }): ReactNode {
  const { find } = useLanguage();
  const send = useSend();
  const policy = useFlow((state) => state.passwordPolicy ?? state.context?.passwordPolicy);
  const { lines, missing } = useMemo(() => describePolicy(policy, find), [policy, find]);

  useEffect(() => {
    for (const what of missing) send({ type: 'TEXT_MISSING', what });
  }, [missing, send]);

  return <PolicyList id={id} lines={lines} />;
}
