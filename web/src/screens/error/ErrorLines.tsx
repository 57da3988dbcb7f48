import { Suspense, lazy } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import type { ErrorLine } from './error-text.ts';
import styles from './error.module.css';

/** A convenience beside a value, which can be read without it. */
const ErrorTool = lazy(() =>
  import('./ErrorTool.tsx').then(
    (part) => ({ default: part.ErrorTool }),
    () => ({ default: () => null }),
  ),
);

interface ErrorLinesProps {
  correlationId: string;
  /** In UTC, as the service writes it. */
  timestamp: string;
  /** What the service names and says, in a language that nobody tells (HTML: an empty `lang`), so that no voice of the page's language reads it. */
  told: readonly ErrorLine[];
  code: string | undefined;
}

/** Names and values for support, each value as it came. */
export function ErrorLines({ correlationId, timestamp, told, code }: ErrorLinesProps): ReactNode {
  const { t } = useLanguage();
  return (
    <dl className={styles.lines}>
      <Line name={t('error.correlationId')} value={correlationId}>
        <Suspense>
          <ErrorTool copies={correlationId} />
        </Suspense>
      </Line>
      <Line name={t('error.timestamp')} value={timestamp}>
        <Suspense>
          <ErrorTool timestamp={timestamp} />
        </Suspense>
      </Line>
      {told.map((line) => (
        <Line {...line} nameLang="" key={line.name} />
      ))}
      {code && <Line name={t('error.code')} value={code} />}
    </dl>
  );
}

function Line({
  name,
  value,
  nameLang,
  children,
}: ErrorLine & { nameLang?: string; children?: ReactNode }): ReactNode {
  return (
    <div>
      <dt lang={nameLang}>
        <bdi>{name}</bdi>
      </dt>
      <dd lang="">
        <bdi>{value}</bdi>
        {children}
      </dd>
    </div>
  );
}
