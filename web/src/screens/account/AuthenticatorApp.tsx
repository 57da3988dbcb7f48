import { useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { unreachable } from '../../api/failures.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { RecoveryCodeList } from '../AppEnrolment.tsx';
import { useAccount } from './account-context.ts';
import styles from './account.module.css';
import type { AppSetUpProps } from './AppSetUp.tsx';
import { formatMoment } from './format-moment.ts';
import { Section, SectionActions } from './Section.tsx';
import { useFactorSection } from './use-factor-section.ts';

/** The data and the component to set up an app. The component is loaded when the user begins. */
type Begun = Pick<AppSetUpProps, 'offer'> & { AppSetUp: ComponentType<AppSetUpProps> };

/** The authenticator app and its recovery codes, for users who sign in with a password. */
export function AuthenticatorApp(): ReactNode {
  const { t, locale } = useLanguage();
  const { account, api, changes } = useAccount();
  const { authenticatorApp: app, password } = account;
  const [begun, setBegun] = useState<Begun>();
  const { place, problem, remove } = useFactorSection(begun !== undefined, {
    send: () => api.call('removeAuthenticatorApp', { body: {} }),
    done: 'account.app.removed',
    required: 'account.app.required',
  });
  if (!password) return null;

  const begin = async (): Promise<void> => {
    problem.clear();
    const { refererClientId } = api;
    const outcome = await changes.make(async () => {
      const part = await import('./AppSetUp.tsx').catch(() => undefined);
      if (part === undefined) return { ok: false, failure: unreachable };
      const result = await api.call('offerAuthenticatorApp', { body: { refererClientId } });
      return result.ok ? { ok: true, answer: { AppSetUp: part.AppSetUp, offer: result.answer } } : result;
    }, {});
    if (outcome) setBegun(outcome.answer);
  };

  return (
    <>
      <Section heading={t('account.app.heading')}>
        {begun ? (
          <begun.AppSetUp offer={begun.offer} onClose={() => setBegun(undefined)} />
        ) : (
          <div ref={place} data-app={app ? 'set-up' : 'none'}>
            <p className={styles.detail}>
              {app
                ? t('account.app.since', { date: formatMoment(app.setUpAt, locale) })
                : t('account.app.none')}
            </p>
            <Alert message={problem.message && t(problem.message)} occurrence={problem.occurrence} />
            <SectionActions>
              <ActionButton action="set-up-app" onPress={() => void begin()}>
                {t(app ? 'account.app.replace' : 'account.app.setUp')}
              </ActionButton>
              {app && (
                <ActionButton action="remove-app" onPress={remove}>
                  {t('account.app.remove')}
                </ActionButton>
              )}
            </SectionActions>
          </div>
        )}
      </Section>
      {app && <RecoveryCodes left={app.recoveryCodesLeft} key={app.setUpAt} />}
    </>
  );
}

function RecoveryCodes({ left }: { left: number }): ReactNode {
  const { t } = useLanguage();
  const { api, changes } = useAccount();
  const [codes, setCodes] = useState<readonly string[]>();
  const make = async (): Promise<void> => {
    const outcome = await changes.make(() => api.call('makeRecoveryCodes', { body: {} }), {
      done: 'account.recoveryCodes.made',
    });
    if (outcome) setCodes(outcome.answer.recoveryCodes);
  };
  return (
    <Section heading={t('account.recoveryCodes.heading')}>
      <p className={styles.detail}>{t('account.recoveryCodes.left', { left })}</p>
      {codes && (
        <>
          <p>{t('account.recoveryCodes.keep')}</p>
          <RecoveryCodeList recoveryCodes={codes} />
        </>
      )}
      <SectionActions>
        <ActionButton action="make-recovery-codes" onPress={() => void make()}>
          {t('account.recoveryCodes.make')}
        </ActionButton>
      </SectionActions>
    </Section>
  );
}
