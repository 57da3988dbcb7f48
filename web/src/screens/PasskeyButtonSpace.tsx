import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import styles from './client-support.module.css';
import { useFlow } from './flow-context.tsx';

/** Reserves the space of "Sign in with a passkey", whose chunk loads after the screen. */
export function PasskeyButtonSpace(): ReactNode {
  const isOffered = useFlow((state) => state.context?.extensions?.includes('passkeys'));
  const [part, setPart] = useState<ReactNode>();
  useEffect(() => {
    // If the chunk cannot be loaded, the visitor can still use the password.
    if (isOffered)
      import('./passkey/load-passkey-button.tsx').then(
        (loader) => loader.loadPasskeyButton(setPart),
        () => {},
      );
  }, [isOffered]);
  return (
    isOffered && (
      <div className={styles.passkey} data-passkeys="">
        {part}
      </div>
    )
  );
}
