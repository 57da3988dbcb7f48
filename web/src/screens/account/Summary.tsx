import type { ReactNode } from 'react';
import type { PresentAccount } from '../../api/account-client.ts';
import { useLanguage } from '../../i18n/language.ts';
import type { Translator } from '../../i18n/translator.ts';
import { InlineIcon } from '../../ui/icon/InlineIcon.tsx';
import { focusStep } from '../StepEntrance.tsx';
import factStyles from '../../ui/text/facts.module.css';
import { useAccount } from './account-context.ts';
import styles from './account.module.css';
import { findNextStep, isProtected } from './next-step.ts';
import type { NextStep } from './next-step.ts';

/** Who the user is, how the user signs in, and the next step for a safer account, or that there is none. */
export function Summary(): ReactNode {
  const { t, locale } = useLanguage();
  const { account } = useAccount();
  const { name, userName, email, sites } = account;
  const methods = listMethods(account, t);
  const next = findNextStep(account);
  return (
    <div className={styles.summary} data-summary="">
      <Names names={[name, userName, ...(email === userName ? [] : [email])]} />
      <Names names={sites} />
      <div className={styles.safety}>
        {methods.length > 0 && (
          <p>{t('account.summary.methods', { methods: new Intl.ListFormat(locale).format(methods) })}</p>
        )}
        {next && (
          <p className={styles.next}>
            <span>{t('account.summary.next')}</span>
            <button
              className={styles.button}
              type="button"
              data-action="next-step"
              onClick={() => begin(next)}
            >
              {t(next.label)}
            </button>
          </p>
        )}
        {isProtected(account) && (
          <p className={styles.protected}>
            <InlineIcon name="check" />
            {t('account.summary.protected')}
          </p>
        )}
      </div>
    </div>
  );
}

/** Presses the button of the row, which shows the messages, or moves the focus into its form if that is open already. */
function begin({ row, action }: NextStep): void {
  const place = document.querySelector(`[data-row="${row}"]`);
  const button = place?.querySelector<HTMLElement>(`[data-action="${action}"]`);
  button?.focus();
  button?.click();
  if (!button) focusStep(place?.querySelector('[data-form]') ?? null);
}

function Names({ names }: { names: readonly (string | undefined)[] }): ReactNode {
  const shown = names.filter((name) => name !== undefined && name !== '');
  return (
    shown.length > 0 && (
      <p className={factStyles.facts}>
        {shown.map((name) => (
          <span key={name}>
            <bdi translate="no">{name}</bdi>
          </span>
        ))}
      </p>
    )
  );
}

/** The ways in which the user signs in. The digits of a phone number keep their direction. */
function listMethods(account: PresentAccount, t: Translator['t']): readonly string[] {
  const { password, passkeys = [], authenticatorApp, phoneNumber, companies } = account;
  return [
    ...(password ? [t('account.summary.password')] : []),
    ...(authenticatorApp ? [t('account.summary.app')] : []),
    ...(phoneNumber ? [t('account.summary.sms', { suffix: `\u2066${phoneNumber.suffix}\u2069` })] : []),
    ...(passkeys && passkeys.length > 0 ? [t('account.summary.passkey')] : []),
    ...(companies.length > 0 ? [t('account.summary.company')] : []),
  ];
}
