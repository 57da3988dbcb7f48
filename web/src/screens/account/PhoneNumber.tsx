import { useLayoutEffect, useRef, useState } from 'react';
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

/** The phone number to which codes are sent, for users who sign in with a password. */
export function PhoneNumber(): ReactNode {
  const { t } = useLanguage();
  const { account, api, changes } = useAccount();
  const { phoneNumber, password, mayAddCodeFactor } = account;
  // This component is loaded when the user begins.
  const [SetUp, setSetUp] = useState<ComponentType<PhoneNumberSetUpProps>>();
  const [refusals, setRefusals] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  const isOpen = SetUp !== undefined;
  // Focuses the first button, because the pressed one has disappeared with the closed form.
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) place.current?.querySelector('button')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  // A service without this member does not offer the calls.
  if (!password || mayAddCodeFactor === undefined) return null;

  const begin = async (): Promise<void> => {
    setRefusals(0);
    const result = await changes.make(async () => {
      const part = await import('./PhoneNumberSetUp.tsx').catch(() => undefined);
      return part ? { ok: true, answer: part } : { ok: false, failure: unreachable };
    }, {});
    if (result) setSetUp(() => result.answer.PhoneNumberSetUp);
  };
  const remove = (): void => {
    setRefusals(0);
    const { refererClientId } = api;
    void changes.make(() => api.call('removePhoneNumber', { body: { refererClientId } }), {
      done: 'account.phone.removed',
      failed: ({ code }) => {
        if (code !== 'site_requires_mfa') return false;
        setRefusals((before) => before + 1);
        return true;
      },
    });
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
          <Alert message={refusals > 0 ? t('account.phone.required') : undefined} occurrence={refusals} />
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
