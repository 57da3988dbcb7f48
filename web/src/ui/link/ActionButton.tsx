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

/** A button that looks like a link, for an action on this page. */
export function ActionButton({ action, onPress, isBack = false, children }: ActionButtonProps): ReactNode {
  return (
    <button
      className={isBack ? styles.back : styles.link}
      type="button"
      data-action={action}
      onClick={onPress}
    >
      {isBack && <InlineIcon name="arrow-back" />}
      <span>{children}</span>
    </button>
  );
}
