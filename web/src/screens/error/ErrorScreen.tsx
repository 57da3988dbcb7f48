import { useState } from 'react';
import type { ReactNode } from 'react';
import { serviceTime } from '../../api/service-time.ts';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { useCorrelation, useFlow, useSend } from '../flow-context.tsx';
import { AskBoardOffice, StartAgain } from '../StartAgain.tsx';
import { describeError } from './error-text.ts';
import { ErrorLines } from './ErrorLines.tsx';
import styles from './error.module.css';

/** Shows why the flow ended, and what helps. */
export function ErrorScreen(): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const errorPage = useFlow((state) => state.errorPage);
  const { record, loading, reason } = errorPage;
  const correlationId = useCorrelation().id;
  const [arrivedAt] = useState(serviceTime);
  const { heading, subHeading, note, parameters, lines, code, description, asksOthers } =
    describeError(errorPage);
  // The page knows the reason: support rarely needs the details.
  const isExplained = reason !== undefined;
  const Details = isExplained ? 'details' : 'section';

  return (
    <>
      <Heading>{t(heading)}</Heading>
      {loading ? (
        <Description>{t('common.loading')}</Description>
      ) : (
        <>
          {subHeading && (
            <Description>
              <p>
                <RichText message={subHeading} parts={parameters} />
              </p>
              {note && (
                <p>
                  <RichText message={note} parts={parameters} />
                </p>
              )}
            </Description>
          )}
          <FormActions>
            {reason === 'noBoards' ? (
              <>
                <AskBoardOffice />
                <Button action="sign-out" variant="secondary" onPress={() => send({ type: 'SIGN_OUT' })}>
                  {t('common.signOut')}
                </Button>
              </>
            ) : reason === 'unreachable' ? (
              <Button variant="primary" onPress={() => location.reload()}>
                {t('common.tryAgain')}
              </Button>
            ) : (
              <StartAgain asksOthers={asksOthers} />
            )}
          </FormActions>
          <Details className={styles.details} aria-label={t('error.details')}>
            {isExplained && <summary>{t('error.details')}</summary>}
            <ErrorLines
              correlationId={record?.correlationId || correlationId}
              timestamp={record?.timestamp || arrivedAt}
              lines={lines}
              code={code}
              description={description}
            />
          </Details>
        </>
      )}
    </>
  );
}
