import { Suspense, lazy } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { FormActions } from '../../ui/form/Form.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import { StartAgain, SupportLink } from '../StartAgain.tsx';
import { describeError } from './error-text.ts';

/** Loaded after the first screen. The page helps without them if they are missing. */
const ErrorDetails = lazy(() =>
  import('./ErrorDetails.tsx').then(
    (part) => ({ default: part.ErrorDetails }),
    () => ({ default: () => null }),
  ),
);

/** Shows why the flow ended, and what helps. */
export function ErrorScreen(): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const errorPage = useFlow((state) => state.errorPage);
  const { loading, reason } = errorPage;
  const { heading, subHeading, parameters, asksOthers } = describeError(errorPage);

  return (
    <>
      <Heading>{t(heading)}</Heading>
      {loading ? (
        <Description>{t('common.loading')}</Description>
      ) : (
        <>
          {subHeading && (
            <Description>
              <RichText message={subHeading} parts={parameters} />
            </Description>
          )}
          <FormActions>
            {reason === 'noBoards' ? (
              <>
                <SupportLink />
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
          <Suspense fallback={null}>
            <ErrorDetails />
          </Suspense>
        </>
      )}
    </>
  );
}
