import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { findUserNameProblem, UserNameField } from '../UserNameField.tsx';
import { MailRequest } from './MailRequest.tsx';
import { useRecoveryVisit } from './recovery-visit.ts';

/** Requests a user name and has a recovery e-mail sent. */
export function ForgottenPasswordScreen(): ReactNode {
  const { t } = useLanguage();
  const { api, referer, context, userName: suggested } = useRecoveryVisit();
  return (
    <MailRequest
      page="forgotten-password"
      texts="recovery.password"
      sent={t('recovery.password.sentDescription', { count: context.linkValidityInMinutes })}
      suggested={suggested}
      findProblem={findUserNameProblem}
      send={(userName) => api.call('sendPasswordLink', { body: { ...referer, userName } })}
      renderField={(field) => <UserNameField {...field} />}
    />
  );
}
