import type {
  AuthContext,
  AuthResponse,
  Config,
  ErrorRecord,
  LogoutContext,
  ParsedAnswer,
  PasswordPolicy,
} from '@anteroom/contract';
import type { messageFactorNames } from '@anteroom/contract/factors';

/**
 * The steps of the wizard, named like their routes under `login-wizard/`; `choose-account` is an addition
 * (docs/extensions.md).
 */
export const steps = [
  'choose-account',
  'site-entry',
  'credentials',
  'elevate',
  'password-required',
  'second-factor-required',
  'password-reset-required',
  'password-reset-voluntary',
  'select-site',
] as const;
export type Step = (typeof steps)[number];

/** All values of `<main data-step>`. */
export type Page =
  | Step
  | 'logout'
  | 'logged-out'
  | 'version'
  | 'error'
  | 'require-verified-login-email'
  | 'sample-destination-url';

/** The pages that change a password and need the password rules. */
export type PasswordChangePage = Extract<Step, 'password-reset-required' | 'password-reset-voluntary'>;

/** The route and parameters of the page's address. */
export type Entry =
  | { kind: 'login' }
  /** `account/logout` or `account/logged-out`, which a signed-in visitor can open. */
  | { kind: 'logout'; logoutId?: string | undefined }
  | { kind: 'cancel-redirect-uri' }
  | { kind: 'home'; page: 'version' | 'require-verified-login-email' | 'sample-destination-url' }
  | { kind: 'error'; errorId: string | undefined; reason?: ErrorReason | undefined };

export type Initialisation = 'NOT_INITIALIZED' | 'INITIALIZING' | 'INITIALIZED';

/** The error kinds of all forms (specification, point 8). */
export type FormErrorKind =
  | 'GenericError'
  | 'NotFound'
  | 'CodeRequired'
  | 'InvalidCredentials'
  | 'InvalidMfaCode'
  | 'InvalidNewPassword'
  | 'PasswordsDoNotMatch'
  | 'SiteRequiresMfa'
  | 'MfaInvalidPhoneNumber'
  | 'SessionMigrationFailure'
  | 'RateLimitReached';

export interface FormError {
  kind: FormErrorKind;
  /** A text from the service: untrusted, can contain HTML. */
  description?: string | undefined;
  /** The password rule that the new password violates. */
  policyLine?: string | undefined;
  /** Increases with each error, so that a form can detect a repeated one. */
  occurrence: number;
}

export type NotificationLevel = 'info' | 'error';

export interface Notification {
  id: number;
  level: NotificationLevel;
  /** A key of the locale file. A notification has either this or a `description`. */
  messageKey?: string | undefined;
  messageParameters?: Record<string, string | number> | undefined;
  /** A text from the service: untrusted, rendered only through the sanitiser. */
  description?: string | undefined;
  /** 0: the notification stays until it is dismissed or cleared. */
  durationMs: number;
}

/** A notification that the step also shows above its form. */
export type Banner = Omit<Notification, 'id'>;

/** The answer of `getSites` and the site of the current session, from which the user can switch. */
export type SiteList = ParsedAnswer<'getSites'> & { currentSite?: string | undefined };
/** A choice of the user about the list: recent sites first, or the pin of `site`. */
export interface Preference {
  site?: string;
  isOn: boolean;
}
export type SiteTodoAnswer = ParsedAnswer<'getSiteTodo'>;

export type SiteTodo =
  | { toDosApiStatus: 'Initial' | 'Loading' | 'Error' }
  | ({ toDosApiStatus: 'Success'; newMaterials: boolean; bookUpdates: boolean } & Pick<
      SiteTodoAnswer,
      'directorHomePageEnabled'
    > & { votesCount: number; questionnairesCount: number; minutesCount: number; actionItemsCount: number });

/** The factors whose code is sent in a message. */
export type MessageFactor = (typeof messageFactorNames)[number];

export interface SecondFactor {
  /** Whether the service allows the public-computer checkbox (`mfaAdaptivePolicyEnabled`). */
  adaptiveMfa: boolean;
  phoneNumberSuffixMfa: string | undefined;
  codeValidityMinutes: number | undefined;
  /** What the user can prove now (extension `factors`). Absent: the service does not list it. */
  listed: AuthResponse['secondFactors'];
  messages: Readonly<Record<MessageFactor, CodeMessage>>;
}

/** The code that is sent in a message. */
export interface CodeMessage {
  /** The service has sent a code for this sign-in. */
  codeSent: boolean;
  /** When the code can be resent, in ms of the service's clock; 0: at once. */
  mfaSmsResendTimeout: number;
  /** The service's time minus the browser's monotonic clock, in ms. The browser's wall clock is not used. */
  serviceClockOffsetMs: number;
  resendError: 'None' | 'RateLimitReached' | 'GenericError';
  resending: boolean;
  /** Increases with each resent code, so that it can be announced. */
  codesResent: number;
}

/**
 * Why the error page is shown, if the page itself knows: the sign-in page was opened but no sign-in was started, there
 * is no page at the address, cookies are missing, the sign-in is over, the service cannot be reached, or the user has no
 * boards.
 */
export type ErrorReason = 'start' | 'address' | 'cookies' | 'over' | 'unreachable' | 'noBoards';

export interface ErrorPage {
  reason?: ErrorReason | undefined;
  errorId: string | undefined;
  record: ErrorRecord | undefined;
  loading: boolean;
}

/** The data with which the visitor arrives: the page's address, the cookies and the storage of the tab. */
export interface Arrival {
  entry: Entry;
  returnUrl?: string | undefined;
  /** The default site in the visitor's cookie. */
  rememberedSite?: string | undefined;
  /** The user name from a recovery page, later the one sent with a password; a later context can omit it. */
  enteredUserName?: string | undefined;
  skipLogoutDelay?: boolean | undefined;
  /** The page was left between the password and the session (`screens/left-step.ts`). */
  leftStep?: { enteredUserName: string | undefined } | null;
}

/** The flow's timers. Each exists once and fires `TIMER_FIRED` once. */
export type Timer =
  | 'post-login-redirect'
  | 'retry-check'
  | 'logged-out-redirect'
  | 'card-margin'
  | `notification-${number}`;

/** State of the whole visit; a restart keeps it. */
interface Visit extends Arrival {
  /**
   * Increases with each initialisation and each time the visitor leaves a step. Answers to calls of an earlier run are
   * dropped.
   */
  run: number;
  initialisation: Initialisation;
  page: Page | undefined;
  config: Config | undefined;
  context: AuthContext | undefined;
  loading: boolean;
  errorsSeen: number;
  notifications: readonly Notification[];
  notificationsSeen: number;
  /** Shown after the initialisation. */
  postInitialisationNotifications: readonly Omit<Notification, 'id'>[];
  /**
   * A message about the whole step, above its form. It stays after its notification has closed, until the visitor's
   * next action.
   */
  banner: Banner | undefined;
  /** True while an error notification shows: the card has an extra top margin. A visitor action does not end it. */
  cardMargin: boolean;
  /**
   * True if there was a 401 and no visitor action since. The next 401 then ends on the error page instead of looping.
   */
  unauthorisedSinceAction: boolean;
}

/** State that lasts until the next context. After a restart the screen still shows it while the context reloads. */
interface Progress {
  site: string | undefined;
  siteAllowsPasswordEntry: boolean | undefined;
  /** A user name that was looked up and signs in with a password. */
  lookedUpUserName: string | undefined;
  secondFactor: SecondFactor;
  passwordPolicy: PasswordPolicy | undefined;
  siteList: SiteList | undefined;
}

/** State that a restart clears. */
interface Attempt {
  /** The wizard's own history; the browser's history does not change. */
  history: readonly Step[];
  /** The base address for calls: '' for the page's own origin. */
  baseAddress: string;
  error: FormError | undefined;
  resetRequired: boolean;
  todos: Readonly<Record<string, SiteTodo>>;
  /** The location to which the browser is navigating. */
  leavingTo: string | undefined;
  logout: LogoutContext | undefined;
  errorPage: ErrorPage;
}

export interface FlowState extends Visit, Progress, Attempt {}

export const noMessage: CodeMessage = {
  codeSent: false,
  mfaSmsResendTimeout: 0,
  serviceClockOffsetMs: 0,
  resendError: 'None',
  resending: false,
  codesResent: 0,
};

export const noProgress: Progress = {
  site: undefined,
  siteAllowsPasswordEntry: undefined,
  lookedUpUserName: undefined,
  secondFactor: {
    adaptiveMfa: false,
    phoneNumberSuffixMfa: undefined,
    codeValidityMinutes: undefined,
    listed: undefined,
    messages: { sms: noMessage, email: noMessage },
  },
  passwordPolicy: undefined,
  siteList: undefined,
};

const newAttempt: Attempt = {
  history: [],
  baseAddress: '',
  error: undefined,
  resetRequired: false,
  todos: {},
  leavingTo: undefined,
  logout: undefined,
  errorPage: { errorId: undefined, record: undefined, loading: false },
};

/** The state before the first event. */
export function initialState(arrival: Arrival): FlowState {
  return {
    ...arrival,
    run: 0,
    initialisation: 'NOT_INITIALIZED',
    page: undefined,
    config: undefined,
    context: undefined,
    loading: false,
    errorsSeen: 0,
    notifications: [],
    notificationsSeen: 0,
    postInitialisationNotifications: [],
    banner: undefined,
    cardMargin: false,
    unauthorisedSinceAction: false,
    ...noProgress,
    ...newAttempt,
  };
}

/** Restarts the same visit. The page stays visible while the context reloads, but nothing on it can be submitted. */
export function restarted(state: FlowState): FlowState {
  return { ...state, ...newAttempt, run: state.run + 1, initialisation: 'INITIALIZING', loading: true };
}
