import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { VisuallyHidden } from '../../ui/text/LiveRegion.tsx';
import { useAccount } from './account-context.ts';
import styles from './account.module.css';
import { formatMoment } from './format-moment.ts';
import { Section, SectionActions } from './Section.tsx';

/** The user's sessions, and the trusted computers, which need no code. */
export function Sessions(): ReactNode {
  const { t, locale } = useLanguage();
  const { account, api, changes } = useAccount();
  const { sessions, rememberedComputers } = account;

  const end = (id: string): void =>
    void changes.make(() => api.call('endAccountSession', { body: { id } }), {
      done: 'account.sessions.ended',
    });
  const endOthers = (): void =>
    void changes.make(() => api.call('endOtherSessions', { body: {} }), {
      done: 'account.sessions.othersEnded',
    });
  const forget = (): void =>
    void changes.make(() => api.call('forgetComputers', { body: {} }), {
      done: 'account.computers.forgotten',
    });

  return (
    <>
      <Section heading={t('account.sessions.heading')}>
        <ul className={styles.rows}>
          {sessions.map(({ id, isPresent, browser, site, lastSeenAt }) => {
            const name = browser ?? t('account.sessions.unknownBrowser');
            return (
              <li key={id} data-session={isPresent ? 'present' : 'other'}>
                <div>
                  <bdi>{name}</bdi>
                  {isPresent && <span className={styles.mark}>{t('account.sessions.present')}</span>}
                  {site !== undefined && (
                    <p className={styles.detail}>
                      <bdi>{site}</bdi>
                    </p>
                  )}
                  {!isPresent && (
                    <p className={styles.detail}>
                      {t('account.sessions.seen', { date: formatMoment(lastSeenAt, locale, 'short') })}
                    </p>
                  )}
                </div>
                {!isPresent && (
                  <ActionButton action="end-session" onPress={() => end(id)}>
                    {t('account.sessions.end')}
                    <VisuallyHidden> {name}</VisuallyHidden>
                  </ActionButton>
                )}
              </li>
            );
          })}
        </ul>
        {sessions.length > 1 && (
          <SectionActions>
            <ActionButton action="end-other-sessions" onPress={endOthers}>
              {t('account.sessions.endOthers')}
            </ActionButton>
          </SectionActions>
        )}
      </Section>
      {rememberedComputers > 0 && (
        <Section heading={t('account.computers.heading')}>
          <p className={styles.detail}>{t('account.computers.count', { count: rememberedComputers })}</p>
          <SectionActions>
            <ActionButton action="forget-computers" onPress={forget}>
              {t('account.computers.forget')}
            </ActionButton>
          </SectionActions>
        </Section>
      )}
    </>
  );
}
