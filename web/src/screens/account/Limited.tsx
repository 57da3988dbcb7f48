import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { ButtonLink } from '../../ui/button/Button.tsx';
import { useAccount } from './account-context.ts';
import styles from './account.module.css';

/** Why the page shows only a part, and how the user gets the rest. */
export function Limited(): ReactNode {
  const { t } = useLanguage();
  const { account, api } = useAccount();
  return (
    <div className={styles.limited} data-limited="">
      <p>{t('account.limited.why')}</p>
      {account.mayProveOwnPassword ? (
        <ButtonLink action="prove-own-password" href={api.proofAddress('own-password')}>
          {t('account.limited.prove')}
        </ButtonLink>
      ) : (
        <p>{t('account.limited.ask')}</p>
      )}
    </div>
  );
}
