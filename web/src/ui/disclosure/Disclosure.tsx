import type { ReactNode } from 'react';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import type { FrameAction } from '../link/action.ts';
import styles from './disclosure.module.css';

interface DisclosureProps {
  label: string;
  action?: FrameAction;
  /** Whether it is open at first. */
  isOpen?: boolean;
  children: ReactNode;
}

/** Content that few visitors need, behind one press. */
export function Disclosure({ label, action, isOpen = false, children }: DisclosureProps): ReactNode {
  return (
    <details className={styles.disclosure} open={isOpen}>
      <summary className={styles.label} data-action={action}>
        {label}
        <InlineIcon name="chevron-down" />
      </summary>
      {children}
    </details>
  );
}
