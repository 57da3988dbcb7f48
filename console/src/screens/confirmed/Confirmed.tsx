import { useEffect } from 'react';
import { announceProof, wasCancelled } from '../../proof.ts';
import { t } from '../../texts/texts.ts';
import { Page } from '../../ui/page/Page.tsx';

/** The end of a proof in a tab of its own, which closes if the browser lets it. */
export function Component() {
  useEffect(() => {
    if (wasCancelled()) return;
    announceProof();
    window.close();
  }, []);
  return (
    <Page title={t('problem.confirm')}>
      <p>{wasCancelled() ? t('problem.proof') : t('problem.closeTab')}</p>
    </Page>
  );
}
