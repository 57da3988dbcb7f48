import type { ReactNode } from 'react';
import type { FormErrorKind } from '../flow/model.ts';
import type { MessageKey } from '../i18n/keys.ts';
import { useLanguage } from '../i18n/language.ts';
import { Alert } from '../ui/alert/Alert.tsx';
import { useFlow } from './flow-context.tsx';
import { UntrustedText } from './UntrustedText.tsx';

/** Failures that concern a whole form, not a field. A generic failure is not shown in the form (specification, point 8). */
const messages: Partial<Record<FormErrorKind, MessageKey>> = {
  MfaInvalidPhoneNumber: 'mfa.errors.invalidPhoneNumber',
  SiteRequiresMfa: 'mfa.errors.notConfigured',
};

/** The message of the last failure of a form or a selection. */
export function FormAlert(): ReactNode {
  const { t } = useLanguage();
  const error = useFlow((state) => state.error);
  const message = error && messages[error.kind];
  return (
    <Alert
      message={
        message && (
          <>
            <p>{t(message)}</p>
            {error.description && <UntrustedText text={error.description} />}
          </>
        )
      }
      occurrence={error?.occurrence ?? 0}
    />
  );
}
