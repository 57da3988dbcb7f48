import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { useAccount } from './account-context.ts';
import { formatMoment } from '../../i18n/format-moment.ts';
import { Group, Row } from './Row.tsx';

/** The user's sessions, and the trusted computers, which need no code. */
export function Sessions(): ReactNode {
  const { t, locale } = useLanguage();
  const { account, api, changes } = useAccount();
  const { sessions, rememberedComputers, isLimited } = account;
  // The row stays until the next load, so that nothing disappears under the user.
  const [hadComputers] = useState(rememberedComputers > 0);

  const rowOf = (id: string | undefined): string => `session ${id}`;
  const present = rowOf(sessions.find(({ isPresent }) => isPresent)?.id);
  const hasOthers = sessions.length > 1;
  const end = (id: string): void =>
    void changes.make(rowOf(id), () => api.call('endAccountSession', { body: { id } }), {
      done: 'account.sessions.ended',
      doneAt: present,
    });
  const endOthers = () =>
    changes.make('other sessions', () => api.call('endOtherSessions', { body: {} }), {
      done: isLimited ? 'account.limited.othersEnded' : 'account.sessions.othersEnded',
      doneAt: present,
    });
  const forget = () =>
    changes.make('computers', () => api.call('forgetComputers', { body: {} }), {
      done: 'account.computers.forgotten',
    });

  const others = t(isLimited ? 'account.limited.others' : 'account.sessions.others');
  return (
    <Group heading={t('account.groups.devices')}>
      {sessions.map(({ id, isPresent, browser, site, lastSeenAt }) => {
        const name = browser ?? t('account.sessions.unknownBrowser');
        return (
          <Row
            id={rowOf(id)}
            title={
              <bdi translate="no" data-session={isPresent ? 'present' : 'other'}>
                {name}
              </bdi>
            }
            facts={[
              ...(isPresent ? [t('account.sessions.present')] : []),
              ...(site === undefined
                ? []
                : [
                    <bdi translate="no" key="site">
                      {site}
                    </bdi>,
                  ]),
              ...(isPresent
                ? []
                : [t('account.sessions.seen', { date: formatMoment(lastSeenAt, locale, 'short') })]),
            ]}
            actions={
              isPresent
                ? []
                : [
                    {
                      action: 'end-session',
                      label: t('account.sessions.end'),
                      of: name,
                      onPress: () => end(id),
                    },
                  ]
            }
            key={id}
          />
        );
      })}
      {hasOthers && (
        <Row
          id="other sessions"
          title={others}
          actions={[
            {
              action: 'end-other-sessions',
              label: t('account.sessions.end'),
              of: others,
              confirmation: {
                question: isLimited
                  ? 'account.limited.endOthersQuestion'
                  : 'account.sessions.endOthersQuestion',
                confirm: 'account.sessions.end',
                onConfirm: endOthers,
              },
            },
          ]}
        />
      )}
      {!isLimited && (hadComputers || rememberedComputers > 0) && (
        <Row
          id="computers"
          title={t('account.computers.heading')}
          facts={[
            rememberedComputers === 0
              ? t('account.computers.none')
              : t('account.computers.count', { count: rememberedComputers }),
          ]}
          actions={
            rememberedComputers > 0
              ? [
                  {
                    action: 'forget-computers',
                    label: t('account.computers.forget'),
                    confirmation: {
                      question: 'account.computers.forgetQuestion',
                      confirm: 'account.computers.forget',
                      onConfirm: forget,
                    },
                  },
                ]
              : []
          }
        />
      )}
    </Group>
  );
}
