import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { AccountActivity } from '../../api/account-client.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Skeleton } from '../../ui/skeleton/Skeleton.tsx';
import factStyles from '../../ui/text/facts.module.css';
import { useAccount } from './account-context.ts';
import styles from './account.module.css';
import { formatMoment } from '../../i18n/format-moment.ts';
import { Row } from './Row.tsx';

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

/** The number of events that are shown at first. */
const firstCount = 5;

/** The recent events of the account: first the latest few. */
export function Activity(): ReactNode {
  const { t, locale } = useLanguage();
  const { account, api, changes } = useAccount();
  const [activity, setActivity] = useState<AccountActivity | 'failed'>();
  const [showsAll, setShowsAll] = useState(false);
  const place = useRef<HTMLUListElement>(null);
  // Each change reads the account again, and is an event itself.
  useEffect(() => {
    void api
      .call('getAccountActivity', {})
      .then((result) => setActivity((before) => (result.ok ? result.answer : (before ?? 'failed'))));
  }, [api, account]);
  // Focuses the list, because the pressed button has disappeared.
  useLayoutEffect(() => {
    if (showsAll) place.current?.focus();
  }, [showsAll]);

  const show = async (): Promise<void> => {
    const result = await changes.make('activity', () => api.call('getAccountActivity', {}));
    if (!result) return;
    setActivity(result.answer);
    setShowsAll(true);
  };
  const known = (activity && activity !== 'failed' ? activity.events : []).flatMap((event, index) => {
    const message = messages[event.kind];
    return message ? [{ ...event, message, key: `${event.at} ${index}` }] : [];
  });
  const hasMore = activity === 'failed' || (known.length > firstCount && !showsAll);
  const isNothing = activity && activity !== 'failed' && known.length === 0;

  return (
    <Row
      id="activity"
      title={t('account.activity.heading')}
      facts={[t(isNothing ? 'account.activity.none' : 'account.activity.description')]}
      actions={
        hasMore
          ? [
              {
                action: 'show-activity',
                label: t(activity === 'failed' ? 'account.activity.show' : 'account.activity.showAll'),
                onPress: activity === 'failed' ? () => void show() : () => setShowsAll(true),
              },
            ]
          : []
      }
    >
      {activity === undefined ? (
        <div className={styles.waiting}>
          <Skeleton label={t('common.loading')} shape="line" />
        </div>
      ) : (
        <ul className={styles.events} ref={place} tabIndex={-1} data-activity="">
          {known.slice(0, showsAll ? undefined : firstCount).map(({ key, at, message, site, browser }) => (
            <li key={key}>
              <span className={factStyles.facts}>
                <span className={styles.event}>{t(message)}</span>
                {[site, browser].map(
                  (fact) =>
                    fact !== undefined && (
                      <span key={fact}>
                        <bdi translate="no">{fact}</bdi>
                      </span>
                    ),
                )}
              </span>
              <span className={styles.time}>{formatMoment(at, locale, 'short')}</span>
            </li>
          ))}
        </ul>
      )}
    </Row>
  );
}
