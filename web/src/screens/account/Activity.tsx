import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { AccountActivity } from '../../api/account-client.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { useAccount } from './account-context.ts';
import styles from './account.module.css';
import { formatMoment } from './format-moment.ts';
import { Section, SectionActions } from './Section.tsx';

/** The texts of the kinds of events that a service can list. */
const messages: Partial<Record<string, MessageKey>> = {
  'signed-in': 'account.activity.signedIn',
  'signed-out': 'account.activity.signedOut',
  'wrong-password': 'account.activity.wrongPassword',
  'wrong-code': 'account.activity.wrongCode',
  'password-changed': 'account.activity.passwordChanged',
  'password-link': 'account.activity.passwordLink',
  'change-refused': 'account.activity.changeRefused',
  'app-set-up': 'account.activity.appSetUp',
  'app-removed': 'account.activity.appRemoved',
  'recovery-codes-made': 'account.activity.codesMade',
  'passkey-created': 'account.activity.passkeyCreated',
  'passkey-removed': 'account.activity.passkeyRemoved',
  'phone-number-set': 'account.activity.phoneSet',
  'phone-number-removed': 'account.activity.phoneRemoved',
  'computers-forgotten': 'account.activity.computersForgotten',
  'changed-by-operator': 'account.activity.changedByOperator',
};

/** The recent events of the account, loaded when the user opens the list. */
export function Activity(): ReactNode {
  const { t, locale } = useLanguage();
  const { api, changes } = useAccount();
  const [activity, setActivity] = useState<AccountActivity>();
  const place = useRef<HTMLDivElement>(null);
  // Focuses the list, because the pressed button has disappeared.
  useLayoutEffect(() => {
    if (activity) place.current?.focus();
  }, [activity]);

  const show = async (): Promise<void> => {
    const result = await changes.make(() => api.call('getAccountActivity', {}), {});
    if (result) setActivity(result.answer);
  };
  const known = activity?.events.flatMap((event, index) => {
    const message = messages[event.kind];
    return message ? [{ ...event, message, key: `${event.at} ${index}` }] : [];
  });

  return (
    <Section heading={t('account.activity.heading')}>
      {known ? (
        <div className={styles.place} ref={place} tabIndex={-1} data-activity="">
          {known.length === 0 && <p className={styles.detail}>{t('account.activity.none')}</p>}
          <ul className={styles.rows}>
            {known.map(({ key, at, message, site, browser }) => (
              <li key={key}>
                <div>
                  {t(message)}
                  {site !== undefined && (
                    <p className={styles.detail}>
                      <bdi>{site}</bdi>
                    </p>
                  )}
                  {browser !== undefined && (
                    <p className={styles.detail}>
                      <bdi>{browser}</bdi>
                    </p>
                  )}
                </div>
                <span className={styles.detail}>{formatMoment(at, locale, 'short')}</span>
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <>
          <p className={styles.detail}>{t('account.activity.description')}</p>
          <SectionActions>
            <ActionButton action="show-activity" onPress={() => void show()}>
              {t('account.activity.show')}
            </ActionButton>
          </SectionActions>
        </>
      )}
    </Section>
  );
}
