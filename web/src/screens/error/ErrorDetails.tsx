import { useState } from 'react';
import type { ReactNode } from 'react';
import { serviceTime } from '../../api/service-time.ts';
import { useLanguage } from '../../i18n/language.ts';
import { CopyButton } from '../CopyButton.tsx';
import { useCorrelation, useFlow } from '../flow-context.tsx';
import { UntrustedText } from '../UntrustedText.tsx';
import { listValues } from './error-text.ts';
import type { ErrorLine } from './error-text.ts';
import styles from './error-details.module.css';

/**
 * Names and unchanged values for support. The language of those from the service is unknown (HTML: empty `lang`), so
 * that screen readers do not use the voice of the page's language.
 */
export function ErrorDetails(): ReactNode {
  const { t } = useLanguage();
  const { record, reason } = useFlow((state) => state.errorPage);
  const correlationId = useCorrelation().id;
  const [arrivedAt] = useState(serviceTime);
  // The page knows the reason: support rarely needs the details.
  const isExplained = reason !== undefined;
  const Details = isExplained ? 'details' : 'section';
  return (
    <Details className={styles.details} aria-label={t('error.details')}>
      {isExplained && <summary>{t('error.details')}</summary>}
      <dl className={styles.lines}>
        <Line name={t('error.correlationId')} value={record?.correlationId || correlationId}>
          <CopyButton text={record?.correlationId || correlationId} />
        </Line>
        <Line name={t('error.timestamp')} value={record?.timestamp || arrivedAt} />
        {listValues(record).map((line) => (
          <Line {...line} isOfService key={line.name} />
        ))}
        {record?.error && <Line name={t('error.code')} value={record.error} />}
      </dl>
      {record?.errorDescription && (
        <div lang="">
          <UntrustedText text={record.errorDescription} />
        </div>
      )}
    </Details>
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
