import { Suspense, lazy } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import type { ErrorLine } from './error-text.ts';
import { UntrustedText } from '../UntrustedText.tsx';
import styles from './error.module.css';

/** Optional: without it, the visitor can still select the value. */
const CopyButton = lazy(() =>
  import('./copy-button-part.ts').then(
    (part) => ({ default: part.CopyButton }),
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
  /** The service's message, in a language that is not known either. */
  description: string | undefined;
}

/** Shows names and unchanged values for support. */
export function ErrorLines(props: ErrorLinesProps): ReactNode {
  const { correlationId, timestamp, lines, code, description } = props;
  const { t } = useLanguage();
  return (
    <dl className={styles.lines}>
      <Line name={t('error.correlationId')} value={correlationId}>
        <Suspense fallback={null}>
          <CopyButton text={correlationId} />
        </Suspense>
      </Line>
      <Line name={t('error.timestamp')} value={timestamp} />
      {lines.map((line) => (
        <Line {...line} isOfService key={line.name} />
      ))}
      {code && <Line name={t('error.code')} value={code} />}
      {description && (
        <div>
          <dt>{t('error.message')}</dt>
          <dd lang="">
            <UntrustedText text={description} />
          </dd>
        </div>
      )}
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
