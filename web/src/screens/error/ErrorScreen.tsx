import { useState } from 'react';
import type { ReactNode } from 'react';
import { serviceTime } from '../../api/service-time.ts';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Button } from '../../ui/button/Button.tsx';
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
  const [arrivedAt] = useState(serviceTime);
  const { heading, subHeading, parameters, lines, code, description } = describeError(errorPage);
  // Nothing has failed: support rarely needs the details.
  const isNoError = hasNoBoards || errorPage.reason !== undefined;
  const Details = isNoError ? 'details' : 'section';

  return (
    <>
      <Heading>{t(hasNoBoards ? 'error.noBoards.heading' : heading)}</Heading>
      {loading ? (
        <Description>{t('common.loading')}</Description>
      ) : (
        <>
          <Description>
            <RichText message={hasNoBoards ? 'error.noBoards.subHeading' : subHeading} parts={parameters} />
          </Description>
          {hasNoBoards ? (
            <Description>
              <Button action="sign-out" variant="primary" onPress={() => send({ type: 'SIGN_OUT' })}>
                {t('logout.signOut')}
              </Button>
            </Description>
          ) : (
            <StartAgain />
          )}
          <Details className={styles.details} aria-label={t('error.details')}>
            {isNoError && <summary>{t('error.details')}</summary>}
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
          </Details>
        </>
      )}
    </>
  );
}
