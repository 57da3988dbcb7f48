import { useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { unreachable } from '../../api/failures.ts';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Alert } from '../../ui/alert/Alert.tsx';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { useAccount } from './account-context.ts';
import styles from './account.module.css';
import type { PhoneNumberSetUpProps } from './PhoneNumberSetUp.tsx';
import { Section, SectionActions } from './Section.tsx';
import { useFactorSection } from './use-factor-section.ts';

/** The phone number to which codes are sent, for users who sign in with a password. */
export function PhoneNumber(): ReactNode {
  const { t } = useLanguage();
  const { account, api, changes } = useAccount();
  const { phoneNumber, password, mayAddCodeFactor } = account;
  // This component is loaded when the user begins.
  const [SetUp, setSetUp] = useState<ComponentType<PhoneNumberSetUpProps>>();
  const { place, problem, remove } = useFactorSection(SetUp !== undefined, {
    send: () => api.call('removePhoneNumber', { body: { refererClientId: api.refererClientId } }),
    done: 'account.phone.removed',
    required: 'account.phone.required',
  });
  // A service without this member does not offer the calls.
  if (!password || mayAddCodeFactor === undefined) return null;

  const begin = async (): Promise<void> => {
    problem.clear();
    const result = await changes.make(async () => {
      const part = await import('./PhoneNumberSetUp.tsx').catch(() => undefined);
      return part ? { ok: true, answer: part } : { ok: false, failure: unreachable };
    }, {});
    if (result) setSetUp(() => result.answer.PhoneNumberSetUp);
  };

  return (
    <Section heading={t('account.phone.heading')}>
      {SetUp ? (
        <SetUp onClose={() => setSetUp(undefined)} />
      ) : (
        <div ref={place} data-phone={phoneNumber ? 'set-up' : 'none'}>
          <p className={styles.detail}>
            {phoneNumber ? (
              <RichText
                message="account.phone.present"
                parts={{ suffix: <bdi dir="ltr">{phoneNumber.suffix}</bdi> }}
              />
            ) : (
              t(mayAddCodeFactor ? 'account.phone.none' : 'account.phone.ask')
            )}
          </p>
          <Alert message={problem.message && t(problem.message)} occurrence={problem.occurrence} />
          <SectionActions>
            {mayAddCodeFactor && (
              <ActionButton action="set-phone-number" onPress={() => void begin()}>
                {t(phoneNumber ? 'account.phone.change' : 'account.phone.add')}
              </ActionButton>
            )}
            {phoneNumber && (
              <ActionButton action="remove-phone-number" onPress={remove}>
                {t('account.phone.remove')}
              </ActionButton>
            )}
          </SectionActions>
        </div>
      )}
    </Section>
  );
}
