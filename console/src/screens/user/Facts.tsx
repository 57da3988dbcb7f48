import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Story, UserEntry } from '../../answers.ts';
import { may } from '../../me.ts';
import { paths } from '../../paths.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Section } from '../../ui/page/Page.tsx';
import { formatTime } from '../../ui/time/Time.tsx';
import type { UserPage } from './use-user-page.ts';
import styles from './user.module.css';

const day = (at: string): string => formatTime(at, { dayOnly: true });

/** The boards, the ways to sign in and the sessions. */
export function Facts({ story, page }: { story: Story; page: UserPage }) {
  const { entry, me } = page;
  return (
    <div className={styles.facts}>
      <Section title={t('user.boards')}>
        <ul>
          {story.memberships.map(({ site, displayName, label, cause }) => (
            <li key={site} data-row={site}>
              {may(me, 'members:read', site) ? (
                <Link to={paths.sitePeople(site)}>
                  <bdi>{displayName}</bdi>
                </Link>
              ) : (
                <bdi>{displayName}</bdi>
              )}
              <span className={styles.details}>
                {label !== null && <bdi>{label}</bdi>}
                {cause === 'none' ? (
                  <span>{t('user.mayEnter')}</span>
                ) : (
                  <Link to={paths.user(entry.id, { site })}>{t('user.mayNotEnter')}</Link>
                )}
              </span>
            </li>
          ))}
        </ul>
        {!entry.isManaged && <p className={styles.soft}>{t('user.reduced')}</p>}
        {entry.bounce && <p>{t('user.bounced', { email: entry.email ?? '', day: day(entry.bounce.at) })}</p>}
      </Section>
      {entry.factors && (
        <Section title={t('user.factors')}>
          <ul>{listFactors(entry.factors)}</ul>
        </Section>
      )}
      {entry.sessions && <Sessions sessions={entry.sessions} page={page} />}
    </div>
  );
}

function listFactors(factors: NonNullable<UserEntry['factors']>): ReactNode {
  const { password, phoneNumber, app, passkeys, companies, rememberedComputers } = factors;
  const lines = [
    password?.mustChange === true && t('user.mustChange'),
    password?.mustChange === false && t('user.password', { day: day(password.changedAt) }),
    phoneNumber !== null && t('user.phone', { number: phoneNumber }),
    app && t('user.app', { day: day(app.setUpAt) }),
    ...passkeys.map(({ name }) => t('user.passkey', { name })),
    ...companies.map(({ connection }) => t('user.elsewhere', { name: connection })),
    rememberedComputers.length > 0 && t('user.computers', { count: rememberedComputers.length }),
  ].filter((line) => typeof line === 'string');
  return (lines.length === 0 ? [t('user.noFactors')] : lines).map((line) => <li key={line}>{line}</li>);
}

function Sessions({ sessions, page }: { sessions: NonNullable<UserEntry['sessions']>; page: UserPage }) {
  return (
    <Section title={t('user.sessions')}>
      <ul>
        {sessions.length === 0 && <li>{t('user.noSessions')}</li>}
        {sessions.map(({ session, site, signedInAt }) => (
          <li key={session} data-row={session}>
            <bdi>{site}</bdi>{' '}
            {signedInAt !== null && (
              <span className={styles.soft}>{t('user.since', { time: formatTime(signedInAt) })}</span>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 0 && page.may('users:factors') && (
        <Button
          variant="secondary"
          isPending={page.isRunning}
          onPress={() => {
            if (page.isReady('users:factors'))
              void page.act(
                () => page.post('end-sessions'),
                () => t('user.sessionsEnded'),
              );
          }}
        >
          {t('user.endSessions')}
        </Button>
      )}
    </Section>
  );
}
