import type { ReactNode } from 'react';
import type { ErrorLine } from './error-text.ts';
import styles from './error.module.css';

/** Names and values for support, each value as it came. */
export function ErrorLines({ lines }: { lines: readonly ErrorLine[] }): ReactNode {
  return (
    <dl className={styles.lines}>
      {lines.map(({ name, value }) => (
        <div key={name}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
