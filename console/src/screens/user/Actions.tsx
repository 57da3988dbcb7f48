import type { Story } from '../../answers.ts';
import { serviceAddresses } from '../../paths.ts';
import { t } from '../../texts/texts.ts';
import { nameOf } from '../../names.ts';
import { Button } from '../../ui/button/Button.tsx';
import { MoreActions } from '../../ui/page/Page.tsx';
import type { UserPage } from './use-user-page.ts';

/** What can be done for the user at any time, whatever the verdict says. */
export function Actions({ invitation, page }: { invitation: Story['invitation']; page: UserPage }) {
  const { entry, may, open } = page;
  const language = document.documentElement.lang;
  const send = (action: 'invite' | 'password-link'): void =>
    void page.act(
      () => page.post<{ sentTo: string }>(action, { language }),
      ({ sentTo }) => t('remedies.sent', { email: sentTo }),
    );
  const wasInvited = invitation?.state === 'pending' || invitation?.state === 'expired';
  return (
    <>
      {may('users:factors') && (
        <Button variant="secondary" opens="lost-phone" onPress={() => open('lost-phone', 'users:factors')}>
          {t('user.lostPhone')}
        </Button>
      )}
      {(may('users:help') || may('users:write')) && (
        <MoreActions name={nameOf(entry)}>
          {may('users:help') && (
            <Button
              variant="secondary"
              isPending={page.isRunning}
              onPress={() => send(wasInvited ? 'invite' : 'password-link')}
            >
              {wasInvited ? t('remedies.invite') : t('remedies.passwordLink')}
            </Button>
          )}
          {may('users:write') && (
            <>
              <Button variant="secondary" opens="details" onPress={() => open('details', 'users:write')}>
                {t('user.details')}
              </Button>
              {entry.disabled !== true && (
                <Button variant="danger" opens="disable" onPress={() => open('disable', 'users:write')}>
                  {t('user.disable')}
                </Button>
              )}
            </>
          )}
          {may('users:remove') && (
            <>
              <Button
                variant="secondary"
                onPress={() => {
                  // The answer is a file, so the page stays.
                  if (page.isReady('users:remove')) location.assign(serviceAddresses.userExport(entry.id));
                }}
              >
                {t('office.exportUser')}
              </Button>
              <Button variant="danger" opens="remove" onPress={() => open('remove', 'users:remove')}>
                {t('office.removeUser')}
              </Button>
            </>
          )}
        </MoreActions>
      )}
    </>
  );
}
