import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import styles from './client-support.module.css';
import { useFlow } from './flow-context.tsx';

/** The place of "Sign in with a passkey", which is fetched once the screen is there; the room is kept for it, so that nothing moves. */
export function PasskeyPlace(): ReactNode {
  const isOffered = useFlow((state) => state.context?.extensions?.includes('passkeys'));
  const [part, setPart] = useState<ReactNode>();
  useEffect(() => {
    // without it the password is another way
    if (isOffered)
      import('./passkey/load-passkey.tsx').then(
        (loader) => loader.loadPasskeyPart(setPart),
        () => {},
      );
  }, [isOffered]);
  return isOffered && <div className={styles.passkey}>{part}</div>;
}
