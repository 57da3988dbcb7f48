import type {
  AuthContext,
  AuthResponse,
  Config,
  ErrorCode,
  ErrorRecord,
  LogoutContext,
  ParsedAnswer,
  PasswordPolicy,
} from '@anteroom/contract';
import type {
  MessageFactor,
  Notification,
  PasswordChangePage,
  Preference,
  SiteList,
  SiteTodo,
  Timer,
} from './model.ts';

/** A failed call, as classified by `api/failures.ts`. */
export interface Failure {
  /**
   * handled: an error with a code that a form can show; unauthorised: a 401 without a form error code; unreachable: no
   * answer; unexpected: anything else, which leads to the error page.
   */
  kind: 'handled' | 'unauthorised' | 'unreachable' | 'unexpected';
  status?: number | undefined;
  code?: ErrorCode | undefined;
  description?: string | undefined;
  /** The password rule that the new password violates. */
  policyLine?: string | undefined;
  retryAfterSeconds?: number | undefined;
  serviceTimeMs?: number | undefined;
  receivedAtMs?: number | undefined;
}

/** When the service answered: its `Date` in ms, and the browser's monotonic clock at that moment. */
export interface AnswerTime {
  serviceTimeMs: number;
  receivedAtMs: number;
}

export interface Resent extends AnswerTime {
  retryAfterSeconds: number | undefined;
}

/** Actions of the visitor. */
export type VisitorEvent =
  /** `userName`: of a remembered account that the visitor has chosen. */
  | { type: 'SITE_ENTERED'; site: string; userName?: string }
  | { type: 'OTHER_ACCOUNT' }
  | { type: 'BACK_TO_SITE' }
  | { type: 'USER_NAME_ENTERED'; usernameOrEmail: string }
  | { type: 'SIGN_IN'; userName: string | undefined; password: string }
  /** `factor`: the source of the code, if it can differ from the one that the service asked for first. */
  | {
      type: 'CODE_ENTERED';
      code: string;
      publicComputerSignIn: boolean;
      factor?: MessageFactor | 'totp' | undefined;
    }
  | { type: 'CODE_INCOMPLETE'; empty: boolean }
  | { type: 'CODE_ERROR_CLEARED' }
  /** `isAutomatic`: the page requests the first code without an action of the visitor. Default of `factor`: `sms`. */
  | { type: 'RESEND_CODE'; isAutomatic?: true; factor?: MessageFactor | undefined }
  /** Another user wants to sign in. */
  | { type: 'START_AGAIN' }
  | { type: 'RESET_PASSWORD'; currentPassword: string; newPassword: string; newPasswordConfirmation: string }
  | { type: 'CANCEL_PASSWORD_CHANGE' }
  | { type: 'BACK' }
  | { type: 'BACK_TO_BOARDS' }
  | { type: 'SELECT_SITE'; site: string }
  /** `again`: those that could not be loaded. */
  | { type: 'TODOS_WANTED'; sites: readonly string[]; again?: boolean }
  | { type: 'PREFERENCE_CHOSEN'; preference: Preference }
  | { type: 'TODO_CLICKED'; todoType: string; site: string; count: number }
  | { type: 'SIGN_OUT' }
  | { type: 'CONFIRM_LOGOUT' }
  | { type: 'CANCEL_LOGOUT' }
  | { type: 'DISMISS_NOTIFICATION'; id: number };

/** Results of effects and events of the browser. */
export type OutsideEvent =
  | { type: 'STARTED' }
  | { type: 'RESTORED' }
  /** The browser has a connection again. */
  | { type: 'CONNECTED' }
  | { type: 'CONFIG_LOADED'; config: Config }
  | { type: 'NOTICE_FOUND'; notice: Omit<Notification, 'id'> }
  | { type: 'CONTEXT_LOADED'; context: AuthContext; time?: AnswerTime | undefined }
  /** `lacksCookies`: the browser has none of the cookies that a sign-in sets. */
  | { type: 'CONTEXT_FAILED'; failure: Failure; lacksCookies?: boolean }
  | { type: 'CONTEXT_SLOW' }
  | {
      type: 'CONTEXT_REFRESHED';
      context: AuthContext;
      because: 'password_reset_required' | 'select_site_required';
    }
  /**
   * `email`: the e-mail address that the visitor entered instead of a site; `site` is its domain. `userName`: of the
   * chosen account.
   */
  | {
      type: 'SITE_CHECKED';
      site: string;
      answer: ParsedAnswer<'getSiteExistence'>;
      email?: string | undefined;
      userName?: string | undefined;
    }
  | { type: 'SITE_CHECK_FAILED'; failure: Failure }
  | { type: 'SITE_SETTINGS_LOADED'; answer: ParsedAnswer<'getSiteSettings'>; isChosen?: true | undefined }
  | { type: 'USER_SETTINGS_LOADED'; usernameOrEmail: string; answer: ParsedAnswer<'getUserSettings'> }
  | { type: 'USER_SETTINGS_FAILED'; failure: Failure }
  | { type: 'AUTH_ANSWERED'; answer: AuthResponse; by: AuthCall; time?: AnswerTime | undefined }
  /** A call failed whose failures the current form shows. */
  | { type: 'AUTH_FAILED'; failure: Failure }
  | { type: 'CODE_RESENT'; resent?: Resent | undefined; factor?: MessageFactor | undefined }
  | { type: 'RESEND_FAILED'; failure: Failure; factor?: MessageFactor | undefined }
  | { type: 'POLICY_LOADED'; policy: PasswordPolicy | undefined; page?: PasswordChangePage | undefined }
  | { type: 'SITES_LOADED'; siteList: SiteList }
  /** What a preference changes in the list. */
  | { type: 'SITE_LIST_CHANGED'; change: Partial<SiteList> }
  | { type: 'PREFERENCE_FAILED'; failure: Failure }
  | { type: 'TODO_LOADING'; site: string }
  | { type: 'TODO_LOADED'; site: string; todo: SiteTodo }
  | { type: 'TODO_FAILED'; site: string }
  | { type: 'LOGOUT_CONTEXT_LOADED'; context: LogoutContext | undefined }
  | { type: 'SIGNED_OUT' }
  | { type: 'ERROR_RECORD_LOADED'; record: ErrorRecord | undefined }
  | { type: 'POST_LOGIN_REDIRECT_LOADED'; location: string }
  | { type: 'RETRY_CHECKED'; retry: boolean }
  | { type: 'TIMER_FIRED'; timer: Timer }
  | { type: 'LEAVE_REFUSED' }
  /** A text is missing in the locale file. */
  | { type: 'TEXT_MISSING'; what: string }
  /** A call failed that belongs to no form. */
  | { type: 'CALL_FAILED'; failure: Failure }
  /** An uncaught error in the page. */
  | { type: 'CRASHED' };

/** Calls whose answer has a status and whose failures the current form shows. */
export type AuthCall = 'authenticate' | 'verifyMfaCode' | 'passwordReset' | 'selectSite';

export type FlowEvent = VisitorEvent | OutsideEvent;
export type EventType = FlowEvent['type'];
export type EventOf<TType extends EventType> = Extract<FlowEvent, { type: TType }>;
