import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { Skeleton } from '../../ui/skeleton/Skeleton.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { useCorrelation, useFlow, useSend } from '../flow-context.tsx';
import { UntrustedText } from '../UntrustedText.tsx';
import { StartAgain } from '../StartAgain.tsx';
import { describeError } from './error-text.ts';
import { ErrorLines } from './ErrorLines.tsx';
import styles from './error.module.css';

/** Shows why the flow ended, and a link to start again. */
export function ErrorScreen(): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const errorPage = useFlow((state) => state.errorPage);
  const { record, loading } = errorPage;
  const correlationId = useCorrelation().id;
  // An empty site list is an error of the service (specification, point 7), but has an explanation for the user.
  const hasNoBoards = useFlow(({ siteList }) => siteList?.sites.length === 0);
  const [arrivedAt] = useState(() => new Date().toISOString());
  const { heading, subHeading, parameters, lines, code, description } = describeError(errorPage);

  return (
    <>
      <Heading>{t(hasNoBoards ? 'error.noBoards.heading' : heading)}</Heading>
      {loading ? (
        <Skeleton label={t('common.loading')} shape="entry" />
      ) : (
        <>
          <Description>
            <RichText message={hasNoBoards ? 'error.noBoards.subHeading' : subHeading} parts={parameters} />
          </Description>
          {hasNoBoards ? (
            <ActionButton action="sign-out" onPress={() => send({ type: 'SIGN_OUT' })}>
              {t('selectSite.signOut')}
            </ActionButton>
          ) : (
            <StartAgain />
          )}
          <section className={styles.details} aria-label={t('error.details')}>
            <ErrorLines
              correlationId={record?.correlationId || correlationId}
              timestamp={record?.timestamp || arrivedAt}
              lines={lines}
              code={code}
            />
            {description && (
              <div className={styles.description} lang="">
                <UntrustedText text={description} />
              </div>
            )}
          </section>
        </>
      )}
    </>
  );
}
