import type { CallInput, FrontEndMetric } from '@anteroom/contract';
import type { PasswordChangePage } from './model.ts';

/** The pages of a sign-out that have an address of their own. */
export type SignOutPage = 'account/logout' | 'account/logged-out';

/**
 * What the flow wants done outside itself. The core only describes; the shell in `boot/` carries out and reports back with an event.
 * A secret stands in an effect alone, never in the state.
 */
export type Effect =
  | { type: 'load-auth-context' }
  | { type: 'refresh-context'; because: 'password_reset_required' | 'select_site_required' }
  /** `isOptional`: the sign-out of the site list goes on without it. */
  | { type: 'load-logout-context'; logoutId?: string | undefined; isOptional?: true }
  | { type: 'find-site'; site: string }
  /** `isChosen`: the person has just chosen the site, so that no choice is due any more. */
  | { type: 'load-site-settings'; site: string; isChosen?: true }
  | { type: 'load-user-settings'; usernameOrEmail: string; site: string | undefined }
  | { type: 'authenticate'; body: CallInput<'authenticate'>['body'] }
  | { type: 'verify-mfa-code'; body: CallInput<'verifyMfaCode'>['body'] }
  | { type: 'resend-mfa-code' }
  | {
      type: 'load-password-policy';
      userName: string | undefined;
      site: string | undefined;
      /** The page that comes once the rules are there. */
      page?: PasswordChangePage;
    }
  | { type: 'reset-password'; body: CallInput<'passwordReset'>['body'] }
  | { type: 'load-sites' }
  /** Of the sites in view at once, of the others when there is nothing better to do. */
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
  /** `replaces`: Back does not come to this page again. */
  | { type: 'leave'; location: string; replaces?: true }
  | { type: 'leave-to-external'; site: string | undefined; forceAuthentication: boolean }
  | { type: 'remember-site'; site: string }
  | { type: 'show-address'; address: 'account/login' | SignOutPage }
  | { type: 'report'; metric: Omit<FrontEndMetric, 'at'> };

/** The timers of the flow, one of a kind at a time; each fires `TIMER_FIRED` once. */
export type Timer =
  | 'post-login-redirect'
  | 'retry-check'
  | 'logged-out-redirect'
  | 'card-margin'
  | `notification-${number}`;

export type EffectType = Effect['type'];
