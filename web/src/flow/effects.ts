import type { CallInput, FrontEndMetric } from '@anteroom/contract';
import type { PasswordChangePage } from './model.ts';

/** The sign-out pages with an address. */
export type SignOutPage = 'account/logout' | 'account/logged-out';

/**
 * A side effect that the flow requests. `boot/run-effects.ts` runs it and reports its result as an event. Secrets exist
 * only in effects, never in the state.
 */
export type Effect =
  | { type: 'load-auth-context' }
  | { type: 'refresh-context'; because: 'password_reset_required' | 'select_site_required' }
  /** `isOptional`: the sign-out from the site list continues if this fails. */
  | { type: 'load-logout-context'; logoutId?: string | undefined; isOptional?: true }
  | { type: 'find-site'; site: string }
  /** `isChosen`: the user has just selected the site, so no selection is due. */
  | { type: 'load-site-settings'; site: string; isChosen?: true }
  | { type: 'load-user-settings'; usernameOrEmail: string; site: string | undefined }
  | { type: 'authenticate'; body: CallInput<'authenticate'>['body'] }
  | { type: 'verify-mfa-code'; body: CallInput<'verifyMfaCode'>['body'] }
  | { type: 'resend-mfa-code' }
  | {
      type: 'load-password-policy';
      userName: string | undefined;
      site: string | undefined;
      /** The page to show once the rules have loaded. */
      page?: PasswordChangePage;
    }
  | { type: 'reset-password'; body: CallInput<'passwordReset'>['body'] }
  | { type: 'load-sites' }
  /** Requests to-dos at once for sites in view, and when the browser is idle for the others. */
  | { type: 'load-todos'; inView: readonly string[]; others: readonly string[] }
  | { type: 'stop-todos' }
  | { type: 'keep-recent-sites-first'; recentSitesFirst: boolean }
  | { type: 'select-site'; site: string }
  | { type: 'sign-out' }
  | { type: 'load-error-record'; errorId: string }
  | { type: 'load-post-login-redirect' }
  | { type: 'check-retry' }
  | { type: 'start-timer'; timer: Timer; ms: number }
  | { type: 'stop-timer'; timer: Timer }
  /** `replaces`: the browser's Back button does not return to this page. */
  | { type: 'leave'; location: string; replaces?: true }
  | { type: 'leave-to-external'; site: string | undefined; forceAuthentication: boolean }
  | { type: 'remember-site'; site: string }
  | { type: 'show-address'; address: 'account/login' | SignOutPage }
  | { type: 'report'; metric: Omit<FrontEndMetric, 'at'> };

/** The flow's timers. Each exists once and fires `TIMER_FIRED` once. */
export type Timer =
  | 'post-login-redirect'
  | 'retry-check'
  | 'logged-out-redirect'
  | 'card-margin'
  | `notification-${number}`;

export type EffectType = Effect['type'];
