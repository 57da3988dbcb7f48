import type { ReactNode } from 'react';
import { VisuallyHidden } from '../text/LiveRegion.tsx';
import styles from './skeleton.module.css';

interface SkeletonProps {
  /** Names the content that is loading, for screen readers. */
  label: string;
  /** The size of the content to come. */
  shape: 'line' | 'badges' | 'entry';
}

/** A placeholder with the size of the content that is loading, so that nothing shifts. */
export function Skeleton({ label, shape }: SkeletonProps): ReactNode {
  return (
    <span className={`${styles.skeleton} ${styles[shape]}`} data-skeleton="">
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}
