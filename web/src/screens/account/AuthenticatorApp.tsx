import { useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { unreachable } from '../../api/failures.ts';
import { useLanguage } from '../../i18n/language.ts';
import { requirePart } from '../../late-part.ts';
import { RecoveryCodeList } from '../RecoveryCodeList.tsx';
import { useResumed } from '../use-resumed.ts';
import { useAccount } from './account-context.ts';
import type { AppSetUpProps } from './AppSetUp.tsx';
import { formatMoment } from '../../i18n/format-moment.ts';
import { Row } from './Row.tsx';

/** The data and the component to set up an app. The component is loaded when the user begins. */
type Begun = Pick<AppSetUpProps, 'offer'> & { AppSetUp: ComponentType<AppSetUpProps> };

/** The authenticator app and its recovery codes, for users who sign in with a password. */
export function AuthenticatorApp(): ReactNode {
  const { t, locale } = useLanguage();
  const { account, api, changes } = useAccount();
  const { authenticatorApp: app, password, mayAddCodeFactor = true, neededFactors = [] } = account;
  const [begun, setBegun] = useState<Begun>();
  const begin = async (): Promise<void> => {
    const { refererClientId } = api;
    const outcome = await changes.make('app', async () => {
      const part = await requirePart('authenticator-app', () => import('./AppSetUp.tsx')).catch(
        () => undefined,
      );
      if (part === undefined) return { ok: false, failure: unreachable };
      const result = await api.call('offerAuthenticatorApp', { body: { refererClientId } });
      return result.ok ? { ok: true, answer: { AppSetUp: part.AppSetUp, offer: result.answer } } : result;
    });
    if (outcome) setBegun(outcome.answer);
  };
  const remove = () =>
    changes.make('app', () => api.call('removeAuthenticatorApp', { body: {} }), {
      done: 'account.app.removed',
      refusals: { site_requires_mfa: 'account.app.required' },
    });
  useResumed('authenticator-app', () => void begin());
  if (!password) return null;

  return (
    <>
      <Row
        id="app"
        title={t('account.app.heading')}
        facts={[
          app ? t('account.app.since', { date: formatMoment(app.setUpAt, locale) }) : t('account.app.none'),
          ...(mayAddCodeFactor ? [] : [t('account.mayNotAdd')]),
        ]}
        actions={
          mayAddCodeFactor
            ? [
                {
                  action: 'set-up-app',
                  // The summary can offer to set up an app in these words.
                  label: t(app ? 'account.app.replace' : 'account.app.begin'),
                  of: app ? undefined : t('account.app.heading'),
                  onPress: () => void begin(),
                },
              ]
            : []
        }
        removal={
          app && {
            isForbidden: neededFactors.includes('totp'),
            action: 'remove-app',
            label: t('account.app.remove'),
            question: 'account.app.removeQuestion',
            confirm: 'account.remove',
            onConfirm: remove,
          }
        }
        form={begun && <begun.AppSetUp offer={begun.offer} onClose={() => setBegun(undefined)} />}
      />
      {app && <RecoveryCodes left={app.recoveryCodesLeft} key={app.setUpAt} />}
    </>
  );
}

function RecoveryCodes({ left }: { left: number }): ReactNode {
  const { t } = useLanguage();
  const { api, changes } = useAccount();
  const [codes, setCodes] = useState<readonly string[]>();
  const make = async (): Promise<void> => {
    const outcome = await changes.make('recovery-codes', () => api.call('makeRecoveryCodes', { body: {} }), {
      done: 'account.recoveryCodes.made',
    });
    if (outcome) setCodes(outcome.answer.recoveryCodes);
  };
  return (
    <Row
      id="recovery-codes"
      title={t('account.recoveryCodes.heading')}
      facts={[t('account.recoveryCodes.left', { left })]}
      actions={[
        {
          action: 'make-recovery-codes',
          label: t('account.recoveryCodes.make'),
          onPress: () => void make(),
        },
      ]}
    >
      {codes && (
        <>
          <p>{t('account.recoveryCodes.keep')}</p>
          <RecoveryCodeList recoveryCodes={codes} />
        </>
      )}
    </Row>
  );
}
