import { Suspense, lazy } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import type { ErrorLine } from './error-text.ts';
import styles from './error.module.css';

const noBreakSpace = '\u00a0';

/** Optional tools beside a value. Their space is reserved while they load. */
const ErrorTool = lazy(() =>
  import('./ErrorTool.tsx').then(
    (part) => ({ default: part.ErrorTool }),
    () => ({ default: () => null }),
  ),
);

interface ErrorLinesProps {
  correlationId: string;
  /** The time in UTC, as sent by the service. */
  timestamp: string;
  /**
   * Names and values from the service. Their language is unknown (HTML: empty `lang`), so that screen readers do not
   * use the voice of the page's language.
   */
  lines: readonly ErrorLine[];
  code: string | undefined;
}

/** Shows names and unchanged values for support. */
export function ErrorLines({ correlationId, timestamp, lines, code }: ErrorLinesProps): ReactNode {
  const { t } = useLanguage();
  return (
    <dl className={styles.lines}>
      <Line name={t('error.correlationId')} value={correlationId}>
        <Suspense fallback={<span className={styles.toolRoom}>{noBreakSpace}</span>}>
          <ErrorTool copies={correlationId} />
        </Suspense>
      </Line>
      <Line name={t('error.timestamp')} value={timestamp}>
        <Suspense
          fallback={
            <>
              <br />
              {noBreakSpace}
            </>
          }
        >
          <ErrorTool timestamp={timestamp} />
        </Suspense>
      </Line>
      {lines.map((line) => (
        <Line {...line} isOfService key={line.name} />
      ))}
      {code && <Line name={t('error.code')} value={code} />}
    </dl>
  );
}

interface LineProps extends ErrorLine {
  isOfService?: boolean;
  children?: ReactNode;
}

function Line({ name, value, isOfService, children }: LineProps): ReactNode {
  const { find } = useLanguage();
  // The names that the specification gives have a text.
  const label = isOfService ? find(`error.lines.${name}`) : name;
  return (
    <div>
      <dt lang={label === undefined ? '' : undefined}>
        <bdi>{label ?? name}</bdi>
      </dt>
      <dd lang="">
        <bdi translate="no">{value}</bdi>
        {children}
      </dd>
    </div>
  );
}
