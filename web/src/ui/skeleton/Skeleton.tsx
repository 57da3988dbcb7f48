import type { ReactNode } from 'react';
import { VisuallyHidden } from '../text/VisuallyHidden.tsx';
import styles from './skeleton.module.css';

interface SkeletonProps {
  /** What is being waited for, for readers. */
  label: string;
  /** The size of what comes. */
  shape: 'line' | 'badges' | 'entry';
}

/** Stands where something will be, in its size, so that nothing jumps when it comes. */
export function Skeleton({ label, shape }: SkeletonProps): ReactNode {
  return (
    <span className={`${styles.skeleton} ${styles[shape]}`} data-skeleton="">
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}
