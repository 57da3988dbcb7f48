import type { AuthContext } from '@anteroom/contract';
import { rememberedAccountCalls } from '@anteroom/contract/remembered-accounts';
import { Fragment, useState } from 'react';
import type { ReactNode } from 'react';
import { sendCall } from '../../api/send-call.ts';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Alert } from '../../ui/alert/Alert.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { Icon } from '../../ui/icon/Icon.tsx';
import { Progress } from '../../ui/progress/Progress.tsx';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import { Heading } from '../../ui/text/Heading.tsx';
import { useCorrelation, useFlow, useSend } from '../flow-context.tsx';
import { SiteLogo } from '../SiteLogo.tsx';
import styles from './choose-account.module.css';

type Account = NonNullable<AuthContext['rememberedAccounts']>[number];

/** Offers the accounts that have signed in with this browser before. */
export function ChooseAccountScreen(): ReactNode {
  const { t, locale } = useLanguage();
  const send = useSend();
  const correlation = useCorrelation();
  const accounts = useFlow((state) => state.context?.rememberedAccounts) ?? [];
  const isLoading = useFlow((state) => state.loading);
  const hasNoSite = useFlow((state) => state.error?.kind === 'NotFound');
  const occurrence = useFlow((state) => state.errorsSeen);
  const [chosen, setChosen] = useState<string>();
  const [forgetting, setForgetting] = useState<Account>();
  const [failures, setFailures] = useState(0);
  const isForgotten = forgetting !== undefined && !accounts.includes(forgetting);
  const problem = hasNoSite
    ? 'site.errors.siteDoesNotExist'
    : failures > 0 && forgetting === undefined
      ? 'accounts.notForgotten'
      : undefined;

  const choose = ({ id, site, userName }: Account): void => {
    if (isLoading) return;
    setChosen(id);
    send({ type: 'SITE_ENTERED', site, userName });
  };
  const forget = async (account: Account): Promise<void> => {
    if (isLoading) return;
    setForgetting(account);
    const body = { id: account.id };
    const environment = { correlation, locale, base: '' };
    const result = await sendCall(rememberedAccountCalls.forgetAccount, { body }, environment);
    // The context without the account: the list is shorter, or the sign-in begins as in a new browser.
    if (result.ok) return send({ type: 'START_AGAIN' });
    setForgetting(undefined);
    setFailures((count) => count + 1);
  };

  return (
    <>
      <Heading>{t('titles.choose-account')}</Heading>
      <Alert message={problem && t(problem)} occurrence={occurrence + failures} />
      <ul className={styles.accounts}>
        {accounts.map((account) => {
          const { id, name, userName, siteDisplayName } = account;
          const hasTwin = isAmbiguous(account, accounts);
          return (
            <li key={id} className={styles.account} data-account="">
              <button
                className={styles.choose}
                type="button"
                data-action="continue-as"
                aria-disabled={isLoading || undefined}
                onClick={() => choose(account)}
              >
                <SiteLogo path={account.siteLogoPath} />
                <span className={styles.words}>
                  {/* Only screen readers get the words around the account. */}
                  <RichText
                    message="accounts.continueAs"
                    parts={{
                      account: (
                        <>
                          <bdi translate="no">{breakable(name)}</bdi>
                          <bdi className={styles.fact} translate="no">
                            {siteDisplayName}
                          </bdi>
                          {hasTwin && (
                            <bdi className={styles.fact} translate="no">
                              {breakable(userName)}
                            </bdi>
                          )}
                        </>
                      ),
                    }}
                  />
                </span>
              </button>
              <button
                className={styles.forget}
                type="button"
                data-action="forget-account"
                aria-label={t('accounts.forgetAccount', {
                  name: hasTwin ? `${name} (${userName})` : name,
                  organisation: siteDisplayName,
                })}
                onClick={() => void forget(account)}
              >
                {t('accounts.forget')}
              </button>
              {isLoading && chosen === id ? <Progress /> : <Icon name="chevron" />}
            </li>
          );
        })}
      </ul>
      <Button
        action="other-account"
        variant="secondary"
        onPress={() => !isLoading && send({ type: 'OTHER_ACCOUNT' })}
      >
        {t('accounts.useOther')}
      </Button>
      <LiveRegion message={isForgotten ? t('accounts.forgotten', { name: forgetting.name }) : undefined} />
      <LiveRegion isAssertive message={isLoading && chosen ? t('site.checking') : undefined} />
    </>
  );
}

/** Lets a line break after the @ or a dot of an e-mail address rather than within a word. */
function breakable(text: string): ReactNode {
  return [...text.matchAll(/[^@.]+[@.]*|[@.]+/g)].map(({ 0: part, index: offset }) => (
    <Fragment key={offset}>
      {offset > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** Whether only the user name distinguishes the account from another one. */
function isAmbiguous({ name, siteDisplayName }: Account, accounts: readonly Account[]): boolean {
  const alike = accounts.filter((one) => one.name === name && one.siteDisplayName === siteDisplayName);
  return alike.length > 1;
}
