import type { ReactNode } from 'react';
import type { FlowState } from '../../flow/model.ts';
import { useLanguage } from '../../i18n/language.ts';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { VisuallyHidden } from '../../ui/text/LiveRegion.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import styles from './second-factor.module.css';

/** The name that the page shows: only one that the visitor typed on it. */
export const findTypedName = ({ context, enteredUserName }: FlowState): string | undefined =>
  context?.userName === undefined ? enteredUserName : undefined;

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
