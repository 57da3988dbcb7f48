import type {
  AuthContext,
  Config,
  ErrorRecord,
  LogoutContext,
  ParsedAnswer,
  PasswordPolicy,
} from '@anteroom/contract';

/** The steps of the wizard, spelled as their routes under `login-wizard/`. */
export const steps = [
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

/** Everything that `<main data-step>` can say. */
export type Page =
  | Step
  | 'logout'
  | 'logged-out'
  | 'version'
  | 'error'
  | 'require-verified-login-email'
  | 'sample-destination-url';

/** The pages that change a password and need its rules. */
export type PasswordChangePage = Extract<Step, 'password-reset-required' | 'password-reset-voluntary'>;

/** What the visitor's address asked for. */
export type Entry =
  | { kind: 'login' }
  /** `account/logout`, and `account/logged-out`, which may be opened while the visitor is signed in. */
  | { kind: 'logout'; logoutId?: string | undefined }
  | { kind: 'cancel-redirect-uri' }
  | { kind: 'home'; page: 'version' | 'require-verified-login-email' | 'sample-destination-url' }
  | { kind: 'error'; errorId: string | undefined; reason?: ErrorReason | undefined };

export type Initialisation = 'NOT_INITIALIZED' | 'INITIALIZING' | 'INITIALIZED';

/** The error kinds of the specification's point 8, of all the forms together. */
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
  /** The service's own words: untrusted, perhaps HTML. */
  description?: string | undefined;
  /** The line of the policy that a new password does not meet. */
  policyLine?: string | undefined;
  /** Grows with each error, so that a form can tell the second of two equal ones from the first. */
  occurrence: number;
}

export type NotificationLevel = 'info' | 'error';

export interface Notification {
  id: number;
  level: NotificationLevel;
  /** A key of the locale file … */
  messageKey?: string | undefined;
  messageParameters?: Record<string, string | number> | undefined;
  /** … or words of the service: untrusted, shown through the sanitiser alone. */
  description?: string | undefined;
  /** 0 stays until it is dismissed or cleared. */
  durationMs: number;
}

/** A notification that the step itself shows too. */
export type Banner = Omit<Notification, 'id'>;

/** The answer, and the site that the session is for, which the visitor may leave for another. */
export type SiteList = ParsedAnswer<'getSites'> & { currentSite?: string | undefined };
export type SiteTodoAnswer = ParsedAnswer<'getSiteTodo'>;

export type SiteTodo =
  | { toDosApiStatus: 'Initial' | 'Loading' | 'Error' }
  | ({ toDosApiStatus: 'Success'; newMaterials: boolean; bookUpdates: boolean } & Pick<
      SiteTodoAnswer,
      'directorHomePageEnabled'
    > & { votesCount: number; questionnairesCount: number; minutesCount: number; actionItemsCount: number });

export interface SecondFactor {
  /** From `mfaAdaptivePolicyEnabled`: the service allows the public-computer checkbox. */
  adaptiveMfa: boolean;
  phoneNumberSuffixMfa: string | undefined;
  codeValidityMinutes: number | undefined;
  /** A message has left with a code for this sign-in. */
  codeSent: boolean;
  /** When the code may be sent again, as a time of the service's clock in ms; 0 when it may be at once. */
  mfaSmsResendTimeout: number;
  /** The service's time minus the browser's monotonic clock, in ms: the visitor's own clock plays no part. */
  serviceClockOffsetMs: number;
  resendError: 'None' | 'RateLimitReached' | 'GenericError';
  resending: boolean;
  /** Grows with each code that was sent again, so that it can be announced. */
  codesResent: number;
}

/** Why there is an error page, where the page itself knows it: the address belongs to no sign-in, its cookies are missing, or it is over. */
export type ErrorReason = 'address' | 'cookies' | 'over';

export interface ErrorPage {
  reason?: ErrorReason | undefined;
  errorId: string | undefined;
  record: ErrorRecord | undefined;
  loading: boolean;
}

export interface FlowState {
  /** Grows with each initialisation, and when the visitor turns away from a step; answers to calls of an earlier one are dropped. */
  run: number;
  entry: Entry;
  initialisation: Initialisation;
  page: Page | undefined;
  /** The wizard's own history; the browser's stays untouched. */
  history: readonly Step[];
  returnUrl: string | undefined;
  /** The default site that the visitor's cookie remembers. */
  rememberedSite: string | undefined;
  skipLogoutDelay: boolean;
  config: Config | undefined;

  context: AuthContext | undefined;
  /** Where calls go: '' for the page's own origin. */
  baseAddress: string;
  site: string | undefined;
  siteAllowsPasswordEntry: boolean | undefined;
  /** A user name that was looked up and signs in with a password. */
  lookedUpUserName: string | undefined;
  /** The user name that was sent with a password: a context need not repeat it. */
  enteredUserName: string | undefined;

  loading: boolean;
  error: FormError | undefined;
  errorsSeen: number;
  secondFactor: SecondFactor;
  resetRequired: boolean;
  passwordPolicy: PasswordPolicy | undefined;
  siteList: SiteList | undefined;
  todos: Readonly<Record<string, SiteTodo>>;
  /** The location that the browser is being sent to. */
  leavingTo: string | undefined;

  logout: LogoutContext | undefined;
  errorPage: ErrorPage;

  notifications: readonly Notification[];
  notificationsSeen: number;
  /** Shown once the initialisation has ended. */
  postInitialisationNotifications: readonly Omit<Notification, 'id'>[];
  /** What concerns the whole step, above its form: it stays when its notification has gone, until the visitor's next action. */
  banner: Banner | undefined;
  /** While an error notification shows, for a time: the card stands a little lower. No press ends it. */
  cardMargin: boolean;
  /** A 401 that no action of the visitor came before; the next one ends on the error page instead of going round. */
  unauthorisedSinceAction: boolean;
}

const noSecondFactor: SecondFactor = {
  adaptiveMfa: false,
  phoneNumberSuffixMfa: undefined,
  codeValidityMinutes: undefined,
  codeSent: true,
  mfaSmsResendTimeout: 0,
  serviceClockOffsetMs: 0,
  resendError: 'None',
  resending: false,
  codesResent: 0,
};

export interface Arrival {
  entry: Entry;
  returnUrl?: string | undefined;
  rememberedSite?: string | undefined;
  skipLogoutDelay?: boolean | undefined;
}

/** The state before anything has happened. */
export function initialState(arrival: Arrival): FlowState {
  return {
    run: 0,
    entry: arrival.entry,
    initialisation: 'NOT_INITIALIZED',
    page: undefined,
    history: [],
    returnUrl: arrival.returnUrl,
    rememberedSite: arrival.rememberedSite,
    skipLogoutDelay: arrival.skipLogoutDelay ?? false,
    config: undefined,
    context: undefined,
    baseAddress: '',
    site: undefined,
    siteAllowsPasswordEntry: undefined,
    lookedUpUserName: undefined,
    enteredUserName: undefined,
    loading: false,
    error: undefined,
    errorsSeen: 0,
    secondFactor: noSecondFactor,
    resetRequired: false,
    passwordPolicy: undefined,
    siteList: undefined,
    todos: {},
    leavingTo: undefined,
    logout: undefined,
    errorPage: { errorId: undefined, record: undefined, loading: false },
    notifications: [],
    notificationsSeen: 0,
    postInitialisationNotifications: [],
    banner: undefined,
    cardMargin: false,
    unauthorisedSinceAction: false,
  };
}

/** What an earlier context has led to, gone when a new one arrives. */
export const noProgress = {
  site: undefined,
  siteAllowsPasswordEntry: undefined,
  lookedUpUserName: undefined,
  secondFactor: noSecondFactor,
  passwordPolicy: undefined,
  siteList: undefined,
} as const satisfies Partial<FlowState>;

/** A new start of the same visit: only what belongs to the visit itself is kept, notifications and configuration among it. */
export function restarted(state: FlowState): FlowState {
  return {
    ...initialState(state),
    run: state.run + 1,
    initialisation: 'INITIALIZING',
    // the screen stays as it is while the context is asked for again, but nothing on it can be submitted
    page: state.page,
    context: state.context,
    site: state.site,
    siteAllowsPasswordEntry: state.siteAllowsPasswordEntry,
    lookedUpUserName: state.lookedUpUserName,
    enteredUserName: state.enteredUserName,
    secondFactor: state.secondFactor,
    passwordPolicy: state.passwordPolicy,
    siteList: state.siteList,
    config: state.config,
    errorsSeen: state.errorsSeen,
    notifications: state.notifications,
    notificationsSeen: state.notificationsSeen,
    postInitialisationNotifications: state.postInitialisationNotifications,
    banner: state.banner,
    cardMargin: state.cardMargin,
    unauthorisedSinceAction: state.unauthorisedSinceAction,
    loading: true,
  };
}
