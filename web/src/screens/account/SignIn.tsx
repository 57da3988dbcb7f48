import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { useAccount } from './account-context.ts';
import { AuthenticatorApp } from './AuthenticatorApp.tsx';
import { formatMoment } from '../../i18n/format-moment.ts';
import { Passkeys } from './Passkeys.tsx';
import { PhoneNumber } from './PhoneNumber.tsx';
import { Group, Row } from './Row.tsx';

/** What the user signs in with. */
export function SignIn(): ReactNode {
  const { t, locale } = useLanguage();
  const { account, api } = useAccount();
  const { password, companies, isLimited } = account;
  return (
    <Group heading={t('account.groups.signIn')}>
      {password && (
        <Row
          id="password"
          title={t('account.password.heading')}
          facts={[t('account.password.changed', { date: formatMoment(password.changedAt, locale) })]}
          actions={[
            {
              action: 'change-password',
              label: t('account.change'),
              of: t('account.password.heading'),
              href: api.proofAddress('change-password'),
            },
          ]}
        />
      )}
      {companies.map(({ displayName, lastUsedAt }) => (
        <Row
          id={`company ${displayName}`}
          title={t('account.company.heading')}
          facts={[
            <bdi translate="no" key="name">
              {displayName}
            </bdi>,
            t('account.company.used', { date: formatMoment(lastUsedAt, locale) }),
          ]}
          key={displayName}
        />
      ))}
      {!isLimited && (
        <>
          <Passkeys />
          <AuthenticatorApp />
          <PhoneNumber />
        </>
      )}
    </Group>
  );
}
