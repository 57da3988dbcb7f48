import type { ReactNode } from 'react';
import type { ErrorLine } from './error-text.ts';
import styles from './error.module.css';

interface ErrorLinesProps {
  /** What we name, in the language of the page. */
  own: readonly ErrorLine[];
  /** What the service names and says, in a language that nobody tells (HTML: an empty `lang`), so that no voice of the page's language reads it. */
  told: readonly ErrorLine[];
  code: ErrorLine | undefined;
}

/** Names and values for support, each value as it came. */
export function ErrorLines({ own, told, code }: ErrorLinesProps): ReactNode {
  return (
    <dl className={styles.lines}>
      {own.map((line) => (
        <Line {...line} key={line.name} />
      ))}
      {told.map((line) => (
        <Line {...line} lang="" key={line.name} />
      ))}
      {code && <Line {...code} />}
    </dl>
  );
}

function Line({ name, value, lang }: ErrorLine & { lang?: string }): ReactNode {
  return (
    <div>
      <dt lang={lang}>
        <bdi>{name}</bdi>
      </dt>
      <dd lang="">
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}
