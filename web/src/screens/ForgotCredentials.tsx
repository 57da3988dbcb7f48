import type { ReactNode } from 'react';
import { recoveryAddress } from '../addresses.ts';
import { returnUrl } from '../flow/context.ts';
import { useLanguage } from '../i18n/language.ts';
import { ActionLink } from '../ui/link/ActionLink.tsx';
import { useFlow } from './flow-context.tsx';

/**
 * The link for forgotten credentials. Shown if the application has not disabled recovery and the service has an address
 * for it.
 * @param isShort one word, for the line of the password's label; the whole sentence follows in its accessible name, which
 * must contain what is visible (WCAG 2.5.3)
 */
export function ForgotCredentials({ isShort = false }: { isShort?: boolean }): ReactNode {
  const { t, locale } = useLanguage();
  const isDisabled = useFlow(
    (state) => state.context?.loginFlowCustomizations?.signInCredentialsRecoveryDisabled ?? false,
  );
  const address = useFlow((state) =>
    recoveryAddress(state.context?.forgotPasswordUrl, locale, returnUrl(state)),
  );
  if (isDisabled || address === undefined) return null;
  const sentence = t('login.forgotCredentials');
  const shown = isShort ? t('login.forgot') : sentence;
  return (
    <ActionLink
      action="forgot-credentials"
      href={address}
      label={isShort ? `${shown} ${sentence}` : undefined}
    >
      {shown}
    </ActionLink>
  );
}
