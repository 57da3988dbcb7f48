import { useCallback, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import type { FrameAction } from '../link/action.ts';
import styles from './tooltip.module.css';
import { useDismissal } from './use-dismissal.ts';

interface TooltipProps {
  action?: FrameAction | undefined;
  /** The accessible name of the button. */
  label: string;
  children: ReactNode;
}

/**
 * A button that shows a short explanation. It opens on a press, not on hover, so that it works the same with mouse,
 * touch and keyboard; a click outside or Escape closes it (WCAG 1.4.13).
 */
export function Tooltip({ action, label, children }: TooltipProps): ReactNode {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLSpanElement>(null);

  useDismissal(
    isOpen,
    place,
    useCallback(() => setOpen(false), []),
  );

  return (
    <span ref={place}>
      <button
        className={styles.button}
        type="button"
        data-action={action}
        aria-label={label}
        aria-expanded={isOpen}
        aria-describedby={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <InlineIcon name="info" />
      </button>
      {isOpen && (
        <span className={styles.tip} role="tooltip" id={id}>
          {children}
        </span>
      )}
    </span>
  );
}
