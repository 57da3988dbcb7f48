import type { ReactNode } from 'react';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import type { FrameAction } from './action.ts';
import styles from './link.module.css';

interface ActionButtonProps {
  action: FrameAction;
  onPress: () => void;
  isBack?: boolean;
  children: ReactNode;
}

/** What reads as a link but changes this page instead of leaving it: a button, so that readers hear what it does. */
export function ActionButton({ action, onPress, isBack = false, children }: ActionButtonProps): ReactNode {
  return (
    <button
      className={isBack ? styles.back : styles.link}
      type="button"
      data-action={action}
      onClick={onPress}
    >
      {isBack && <InlineIcon name="arrow-back" />}
      {children}
    </button>
  );
}
