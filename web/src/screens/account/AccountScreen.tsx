import type { Config } from '@anteroom/contract';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { findSafeAddress } from '../../addresses.ts';
import type { AccountApi, PresentAccount } from '../../api/account-client.ts';
import { useLanguage } from '../../i18n/language.ts';
import { paths } from '../../paths.ts';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { ActionLink } from '../../ui/link/ActionLink.tsx';
import { Heading } from '../../ui/text/Heading.tsx';
import { StepEntrance } from '../StepEntrance.tsx';
import { StandaloneFrame } from '../StandaloneFrame.tsx';
import { Activity } from './Activity.tsx';
import { Display } from './Display.tsx';
import { Limited } from './Limited.tsx';
import { Group } from './Row.tsx';
import { Sessions } from './Sessions.tsx';
import { SignIn } from './SignIn.tsx';
import { DataPage, StoredData } from './StoredData.tsx';
import type { UserData } from './StoredData.tsx';
import { Summary } from './Summary.tsx';
import { AccountContext } from './account-context.ts';
import { useChanges } from './use-changes.ts';

interface AccountScreenProps {
  api: AccountApi;
  config: Config;
  /** The account, read before the first render. */
  first: PresentAccount;
}

/**
 * Loads the page again if the user may have signed out since it was shown: from the back/forward cache, or in another tab.
 * Without a session, the page is the sign-in.
 */
function useReloadAfterSignOut(api: AccountApi): void {
  useEffect(() => {
    const restore = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) location.reload();
    };
    const check = async (): Promise<void> => {
      if (document.visibilityState === 'hidden') return;
      const read = await api.read();
      if (!read.ok && read.failure.kind === 'unauthorised') location.reload();
    };
    const onReturn = (): void => void check();
    window.addEventListener('pageshow', restore);
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      window.removeEventListener('pageshow', restore);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [api]);
}

/** The account page: who the user is and how the user signs in, and rows to change it. */
export function AccountScreen({ api, config, first }: AccountScreenProps): ReactNode {
  useReloadAfterSignOut(api);
  const { t } = useLanguage();
  const [account, setAccount] = useState(first);
  const changes = useChanges(api, setAccount);
  const [data, setData] = useState<UserData>();
  const [isBack, setBack] = useState(false);
  const { isSending, done } = changes;
  const boards = account.backUri ?? findSafeAddress(config.homeUri);
  const leaveData = (): void => {
    setData(undefined);
    setBack(true);
  };

  return (
    <AccountContext value={{ account, api, changes }}>
      <StandaloneFrame
        step="account"
        title={t('account.heading')}
        config={config}
        customizations={undefined}
        header={
          data ? (
            <ActionButton action="back" isBack onPress={leaveData}>
              {t('common.back')}
            </ActionButton>
          ) : (
            <>
              {boards !== undefined && (
                <ActionLink action="back-to-boards" href={boards} isBack>
                  {t(account.backUri === undefined ? 'common.backToBoards' : 'common.back')}
                </ActionLink>
              )}
              <ActionLink action="sign-out" href={paths.signOut('account/logout', '')}>
                {t('common.signOut')}
              </ActionLink>
            </>
          )
        }
        hasH1Logo={false}
        isWide
        working={isSending ? t('common.working') : undefined}
        done={done && t(done)}
      >
        <StepEntrance key={data ? 'data' : 'account'}>
          {data ? (
            <DataPage data={data} />
          ) : (
            <>
              <Heading>{t('account.heading')}</Heading>
              <Summary />
              {account.isLimited && <Limited />}
              <SignIn />
              <Sessions />
              <Display />
              {account.hasActivity && !account.isLimited && (
                <Group heading={t('account.groups.activity')}>
                  <Activity />
                  <StoredData onShow={setData} isBack={isBack} />
                </Group>
              )}
            </>
          )}
        </StepEntrance>
      </StandaloneFrame>
    </AccountContext>
  );
}
