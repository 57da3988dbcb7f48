import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Skeleton } from '../../ui/skeleton/Skeleton.tsx';
import { Description } from '../../ui/text/Description.tsx';
import { Heading } from '../../ui/text/Heading.tsx';
import { useCorrelationId, useFlow } from '../flow-context.tsx';
import { ServiceWords } from '../ServiceWords.tsx';
import { StartAgain } from '../StartAgain.tsx';
import { describeError } from './error-text.ts';
import { ErrorLines } from './ErrorLines.tsx';
import styles from './error.module.css';

/** Says that something ended the way, what is known of it, and how to begin again. */
export function ErrorScreen(): ReactNode {
  const { t } = useLanguage();
  const { record, loading } = useFlow((state) => state.errorPage);
  const correlationId = useCorrelationId();
  const [arrivedAt] = useState(() => new Date().toISOString());
  const { heading, subHeading, parameters, lines, code, description } = describeError(record);

  return (
    <>
      <Heading>{t(heading)}</Heading>
      {loading ? (
        <Skeleton label={t('common.loading')} shape="entry" />
      ) : (
        <>
          <Description>{t(subHeading, parameters)}</Description>
          <StartAgain />
          <section className={styles.details} aria-label={t('error.details')}>
            <ErrorLines
              own={[
                { name: t('error.correlationId'), value: record?.correlationId ?? correlationId },
                { name: t('error.timestamp'), value: record?.timestamp ?? arrivedAt },
              ]}
              told={lines}
              code={code === undefined ? undefined : { name: t('error.code'), value: code }}
            />
            {description !== undefined && (
              <div className={styles.description} lang="">
                <ServiceWords words={description} />
              </div>
            )}
          </section>
        </>
      )}
    </>
  );
}
