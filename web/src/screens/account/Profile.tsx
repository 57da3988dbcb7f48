import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { ActionLink } from '../../ui/link/ActionLink.tsx';
import { useAccount } from './account-context.ts';
import styles from './account.module.css';
import { formatMoment } from './format-moment.ts';
import { Section, SectionActions } from './Section.tsx';

/** The user's name, e-mail address and sites, and the password or companies with which they sign in. */
export function Profile(): ReactNode {
  const { t, locale } = useLanguage();
  const { account, api } = useAccount();
  const { name, userName, email, sites, password, companies } = account;
  return (
    <>
      <Section heading={t('account.profile.heading')}>
        <dl className={styles.facts}>
          {name !== '' && <Fact name={t('account.profile.name')}>{name}</Fact>}
          <Fact name={t('account.profile.userName')}>{userName}</Fact>
          {email !== undefined && <Fact name={t('account.profile.email')}>{email}</Fact>}
          {sites.length > 0 && (
            <Fact name={t('account.profile.sites')}>
              <ul className={styles.plain}>
                {sites.map((site) => (
                  <li key={site}>
                    <bdi>{site}</bdi>
                  </li>
                ))}
              </ul>
            </Fact>
          )}
        </dl>
      </Section>
      {password && (
        <Section heading={t('account.password.heading')}>
          <p className={styles.detail}>
            {t('account.password.changed', { date: formatMoment(password.changedAt, locale) })}
          </p>
          <SectionActions>
            <ActionLink action="change-password" href={api.proofAddress('change-password')}>
              {t('account.password.change')}
            </ActionLink>
          </SectionActions>
        </Section>
      )}
      {companies.length > 0 && (
        <Section heading={t('account.company.heading')}>
          <ul className={styles.plain}>
            {companies.map(({ displayName, lastUsedAt }) => (
              <li key={displayName}>
                <bdi>{displayName}</bdi>
                <p className={styles.detail}>
                  {t('account.company.used', { date: formatMoment(lastUsedAt, locale) })}
                </p>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{typeof children === 'string' ? <bdi>{children}</bdi> : children}</dd>
    </div>
  );
}
