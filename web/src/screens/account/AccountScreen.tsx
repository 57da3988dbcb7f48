import type { Config } from '@anteroom/contract';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { AccountApi, PresentAccount } from '../../api/account-client.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Alert, StepBanner } from '../../ui/alert/Alert.tsx';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { ActionLink } from '../../ui/link/ActionLink.tsx';
import { Heading } from '../../ui/text/Heading.tsx';
import { StepEntrance } from '../StepEntrance.tsx';
import { StandaloneFrame } from '../StandaloneFrame.tsx';
import { saveFile } from '../save-file.ts';
import { Activity } from './Activity.tsx';
import { AuthenticatorApp } from './AuthenticatorApp.tsx';
import { Display } from './Display.tsx';
import { Passkeys } from './Passkeys.tsx';
import { PhoneNumber } from './PhoneNumber.tsx';
import { Profile } from './Profile.tsx';
import { Section, SectionActions } from './Section.tsx';
import { Sessions } from './Sessions.tsx';
import { AccountContext, useAccount } from './account-context.ts';
import styles from './account.module.css';
import { useChanges } from './use-changes.ts';

interface AccountScreenProps {
  api: AccountApi;
  config: Config;
  /** The account, read before the first render. */
  first: PresentAccount;
}

/** The account page: the user's profile, credentials and sessions. */
export function AccountScreen({ api, config, first }: AccountScreenProps): ReactNode {
  const { t } = useLanguage();
  const [account, setAccount] = useState(first);
  const changes = useChanges(api, setAccount);
  const { isSending, done, failure, failures } = changes;
  const { backUri } = account;

  return (
    <AccountContext value={{ account, api, changes }}>
      <StandaloneFrame
        step="account"
        title={t('account.heading')}
        config={config}
        customizations={undefined}
        header={
          backUri === undefined ? undefined : (
            <ActionLink action="back-to-boards" href={backUri} isBack>
              {t('common.backToBoards')}
            </ActionLink>
          )
        }
        hasH1Logo={false}
        isWide
        working={isSending ? t('common.working') : undefined}
        done={done && t(done)}
      >
        <StepEntrance>
          <div className={styles.messages}>
            <StepBanner message={done && t(done)} level="info" />
            <Alert message={failure && t(failure)} occurrence={failures} />
          </div>
          <Heading>{t('account.heading')}</Heading>
          <Profile />
          <Passkeys />
          <AuthenticatorApp />
          <PhoneNumber />
          <Sessions />
          <Display />
          {account.hasActivity && (
            <>
              <Activity />
              <StoredData />
            </>
          )}
        </StepEntrance>
      </StandaloneFrame>
    </AccountContext>
  );
}

/** Lets the user download the data that the service stores about them. */
function StoredData(): ReactNode {
  const { t } = useLanguage();
  const { api, changes } = useAccount();
  const download = async (): Promise<void> => {
    const result = await changes.make(() => api.call('getAccountData', {}), { done: 'account.data.done' });
    if (result) saveFile('account-data.json', 'application/json', JSON.stringify(result.answer, null, 2));
  };
  return (
    <Section heading={t('account.data.heading')}>
      <p className={styles.detail}>{t('account.data.description')}</p>
      <SectionActions>
        <ActionButton action="download-data" onPress={() => void download()}>
          {t('account.data.download')}
        </ActionButton>
      </SectionActions>
    </Section>
  );
}
