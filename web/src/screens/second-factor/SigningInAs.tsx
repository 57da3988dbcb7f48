import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { VisuallyHidden } from '../../ui/text/LiveRegion.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import { findTypedName } from '../use-left-step.ts';
import styles from './second-factor.module.css';

/**
 * The user who signs in, with a link to start again. Shows only a name typed on this page, never a name that only the
 * service knows: someone who knows only a password must not learn the user name.
 */
export function SigningInAs(): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const typed = useFlow(findTypedName);
  return (
    <div className={styles.account}>
      {typed !== undefined && (
        <p>
          <VisuallyHidden>{`${t('login.signedInAs')} `}</VisuallyHidden>
          <bdi translate="no" className={styles.name} data-user-name="">
            {typed}
          </bdi>
        </p>
      )}
      <ActionButton action="start-again" onPress={() => send({ type: 'START_AGAIN' })}>
        {t(typed === undefined ? 'error.startAgain' : 'secondFactor.notYou')}
      </ActionButton>
    </div>
  );
}
