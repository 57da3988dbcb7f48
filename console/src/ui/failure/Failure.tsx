import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { isRouteErrorResponse, useRouteError, useRouteLoaderData } from 'react-router';
import { ProblemError } from '../../api.ts';
import { rootId } from '../../me.ts';
import { serviceAddresses } from '../../paths.ts';
import { leaveForProof, wasCancelled } from '../../proof.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../button/Button.tsx';
import { Loading } from '../frame/Loading.tsx';
import { ProblemNote } from '../note/ProblemNote.tsx';
import styles from './failure.module.css';

/** A page that cannot be shown: why, and what helps. A visitor without a session goes to the sign-in page. */
export function Failure() {
  const error = useRouteError();
  const hasRole = useRouteLoaderData(rootId) !== undefined;
  const kind = error instanceof ProblemError ? error.kind : undefined;
  const here = location.pathname.replace(/^\/console/, '') + location.search;
  const leaves = kind === 'sign-in-required' && !wasCancelled();
  useEffect(() => {
    if (leaves) leaveForProof(here);
  }, [leaves, here]);

  if (leaves) return <Loading />;
  if (kind === 'sign-in-required')
    return (
      <Message text={t('problem.signedOut')}>
        <Button onPress={() => leaveForProof(here)}>{t('problem.signIn')}</Button>
      </Message>
    );
  if (kind === 'forbidden' && !hasRole)
    return (
      <Message text={t('problem.noRole')}>
        <a href={serviceAddresses.account}>{t('frame.account')}</a>
      </Message>
    );
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  if (isMissing || kind === 'missing' || kind === 'forbidden') return <Message text={t('problem.missing')} />;
  return (
    <Message text={t('problem.title')}>
      {error instanceof ProblemError && <ProblemNote error={error} />}
      <Button variant="secondary" onPress={() => location.reload()}>
        {t('problem.again')}
      </Button>
    </Message>
  );
}

function Message({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className={styles.failure}>
      <title>{text}</title>
      <h1>{text}</h1>
      {children}
    </div>
  );
}
