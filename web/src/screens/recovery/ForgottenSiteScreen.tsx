import { emailMaximumLength } from '@anteroom/contract/recovery';
import { typedSignInName } from '@anteroom/contract/typed-text';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import type { Translator } from '../../i18n/translator.ts';
import { TextField } from '../../ui/field/TextField.tsx';
import { MailRequest } from './MailRequest.tsx';
import { useRecoveryVisit } from './recovery-visit.ts';

type Problem = 'missing' | 'tooLong' | 'invalid';

/** Requests an e-mail address, to which the service sends the names of the user's sites. */
export function ForgottenSiteScreen(): ReactNode {
  const { t } = useLanguage();
  const { api, referer, userName: email } = useRecoveryVisit();
  return (
    <MailRequest
      page="forgotten-site"
      texts="recovery.site"
      sent={t('recovery.site.sentDescription')}
      suggested={email}
      // The visitor has typed the address at site entry.
      sendsAtOnce={email !== undefined}
      findProblem={(entered) => findProblem(typedSignInName(entered))}
      send={(entered) => api.call('sendSiteNames', { body: { ...referer, email: typedSignInName(entered) } })}
      renderField={({ problem, ...field }) => (
        <TextField
          label={t('recovery.site.email')}
          name="email"
          type="email"
          autoComplete="email"
          error={problem && problemText(problem, t)}
          {...field}
        />
      )}
    />
  );
}

/**
 * Rejects only text that cannot be an e-mail address. Whether an address works is known only when the e-mail is sent.
 */
function findProblem(email: string): Problem | undefined {
  if (email === '') return 'missing';
  if (email.length > emailMaximumLength) return 'tooLong';
  return /^[^\s@]+@[^\s@]+$/.test(email) ? undefined : 'invalid';
}

function problemText(problem: Problem, t: Translator['t']): string {
  switch (problem) {
    case 'missing':
      return t('recovery.site.emailRequired');
    case 'tooLong':
      return t('login.errors.userNameTooLong', { count: emailMaximumLength });
    case 'invalid':
      return t('recovery.site.emailInvalid');
  }
}
