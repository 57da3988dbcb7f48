import { useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { unreachable } from '../../api/failures.ts';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { requirePart } from '../../late-part.ts';
import { useResumed } from '../use-resumed.ts';
import { useAccount } from './account-context.ts';
import type { PhoneNumberSetUpProps } from './PhoneNumberSetUp.tsx';
import { Row } from './Row.tsx';

/** The phone number to which codes are sent, for users who sign in with a password. */
export function PhoneNumber(): ReactNode {
  const { t } = useLanguage();
  const { account, api, changes } = useAccount();
  const { phoneNumber, password, mayAddCodeFactor, neededFactors = [] } = account;
  // This component is loaded when the user begins.
  const [SetUp, setSetUp] = useState<ComponentType<PhoneNumberSetUpProps>>();
  const begin = async (): Promise<void> => {
    const result = await changes.make('phone', async () => {
      const part = await requirePart('phone-number', () => import('./PhoneNumberSetUp.tsx')).catch(
        () => undefined,
      );
      return part ? { ok: true, answer: part } : { ok: false, failure: unreachable };
    });
    if (result) setSetUp(() => result.answer.PhoneNumberSetUp);
  };
  const remove = () =>
    changes.make(
      'phone',
      () => api.call('removePhoneNumber', { body: { refererClientId: api.refererClientId } }),
      { done: 'account.phone.removed', refusals: { site_requires_mfa: 'account.phone.required' } },
    );
  useResumed('phone-number', () => void begin());
  // A service without this member does not offer the calls.
  if (!password || mayAddCodeFactor === undefined) return null;

  const present = phoneNumber && (
    <RichText
      message="account.phone.present"
      parts={{
        suffix: (
          <bdi translate="no" dir="ltr">
            {phoneNumber.suffix}
          </bdi>
        ),
      }}
    />
  );
  return (
    <Row
      id="phone"
      title={t('account.phone.heading')}
      facts={
        // The form shows another number.
        SetUp
          ? []
          : [present ?? t('account.phone.none'), ...(mayAddCodeFactor ? [] : [t('account.mayNotAdd')])]
      }
      actions={
        mayAddCodeFactor
          ? [
              {
                action: 'set-phone-number',
                label: t(phoneNumber ? 'account.change' : 'account.phone.add'),
                of: t('account.phone.heading'),
                onPress: () => void begin(),
              },
            ]
          : []
      }
      removal={
        phoneNumber && {
          isForbidden: neededFactors.includes('sms'),
          action: 'remove-phone-number',
          label: t('account.phone.remove'),
          question: 'account.phone.removeQuestion',
          confirm: 'account.remove',
          onConfirm: remove,
        }
      }
      form={SetUp && <SetUp onClose={() => setSetUp(undefined)} />}
    />
  );
}
