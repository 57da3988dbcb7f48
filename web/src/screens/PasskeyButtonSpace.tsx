import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { MessageKey } from '../i18n/keys.ts';
import { requirePart } from '../late-part.ts';
import styles from './client-support.module.css';
import { useFlow } from './flow-context.tsx';

interface PasskeyButtonSpaceProps {
  /** Called with the reason why no passkey was used, and without one when it is over. */
  onProblem: (problem: MessageKey | undefined) => void;
}

/** Reserves the space of "Sign in with a passkey", whose chunk loads after the screen. */
export function PasskeyButtonSpace({ onProblem }: PasskeyButtonSpaceProps): ReactNode {
  const isOffered = useFlow((state) => state.context?.extensions?.includes('passkeys'));
  const [part, setPart] = useState<ReactNode>();
  useEffect(() => {
    // If the chunk cannot be loaded, the visitor can still use the password.
    if (isOffered)
      requirePart('passkeys', () => import('./passkey/load-passkey-button.tsx'), 'untouched').then(
        (loader) => loader.loadPasskeyButton(setPart, onProblem),
        () => {},
      );
  }, [isOffered, onProblem]);
  return (
    isOffered && (
      <div className={styles.passkey} data-passkeys="">
        {part}
      </div>
    )
  );
}
