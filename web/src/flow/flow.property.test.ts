import { calls } from '@anteroom/contract';
import type { AuthContext, AuthStatus, CallName, ErrorCode, ParsedAnswer } from '@anteroom/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Effect } from './effects.ts';
import type { Failure, FlowEvent } from './events.ts';
import { findRow, transition } from './machine.ts';
import { initialState, steps } from './model.ts';
import type { Entry, FlowState, Page } from './model.ts';
import { contextWith } from './testing.ts';
import { isStep } from './transition.ts';

/** Invariants for any sequence of visitor actions and service answers. */

const secret = 'quiet-harbor-secret';
const statuses = calls.authenticate.answer.entries.status.pipe[2].options;
const failures: fc.Arbitrary<Failure> = fc.record(
  {
    kind: fc.constantFrom('handled', 'unauthorised', 'unreachable', 'unexpected'),
    code: fc.constantFrom<ErrorCode[]>(
      'invalid_credentials',
      'mfa_token_expired',
      'mfa_max_attempts_exceeded',
      'rate_limit_reached',
      'other' as ErrorCode,
    ),
    retryAfterSeconds: fc.integer({ min: 1, max: 90 }),
    serviceTimeMs: fc.constant(1e12),
    receivedAtMs: fc.constant(0),
    description: fc.constant('words'),
  },
  { requiredKeys: ['kind'] },
);
const account: NonNullable<AuthContext['rememberedAccounts']>[number] = {
  id: 'one',
  name: 'Ada Byron',
  userName: 'ada',
  site: 'harbor',
  siteDisplayName: 'Harbor Trust',
  siteLogoPath: undefined,
};
const accounts = [account];
const contexts: fc.Arbitrary<AuthContext> = fc
  .record({
    defaultSite: fc.constantFrom(undefined, 'harbor'),
    identityServiceUrl: fc.constantFrom(undefined, 'https://id.example'),
    userName: fc.constantFrom(undefined, 'ada'),
    selectSite: fc.boolean(),
    allowDefaultSiteEntry: fc.boolean(),
    allowUserNameEntry: fc.boolean(),
    allowPasswordEntry: fc.boolean(),
    cancelRedirectUri: fc.constantFrom(undefined, 'https://boards.example'),
    rememberedAccounts: fc.constantFrom(undefined, accounts),
    promptMethod: fc.constantFrom(undefined, 'elevate', 'switch_site', 'change_password', 'switch_tenant'),
    session: fc.record({
      state: fc.constantFrom('none', 'expired', 'valid'),
      authSite: fc.constantFrom(undefined, 'harbor'),
      isExternallyAuthenticated: fc.boolean(),
    }),
  })
  .map((some) => contextWith(some));

const visitor: fc.Arbitrary<FlowEvent> = fc.constantFrom<FlowEvent>(
  { type: 'SITE_ENTERED', site: 'harbor' },
  { type: 'SITE_ENTERED', site: 'harbor', userName: 'ada' },
  { type: 'OTHER_ACCOUNT' },
  { type: 'BACK_TO_SITE' },
  { type: 'USER_NAME_ENTERED', usernameOrEmail: 'ada' },
  { type: 'SIGN_IN', userName: 'ada', password: secret },
  { type: 'CODE_ENTERED', code: secret, publicComputerSignIn: false },
  { type: 'CODE_INCOMPLETE', empty: true },
  { type: 'CODE_ERROR_CLEARED' },
  { type: 'RESEND_CODE' },
  { type: 'RESEND_CODE', isAutomatic: true },
  { type: 'RESEND_CODE', factor: 'email' },
  { type: 'START_AGAIN' },
  { type: 'RESET_PASSWORD', currentPassword: secret, newPassword: secret, newPasswordConfirmation: secret },
  { type: 'CANCEL_PASSWORD_CHANGE' },
  { type: 'BACK' },
  { type: 'BACK_TO_BOARDS' },
  { type: 'SELECT_SITE', site: 'harbor' },
  { type: 'SIGN_OUT' },
  { type: 'CONFIRM_LOGOUT' },
  { type: 'CANCEL_LOGOUT' },
  { type: 'RESTORED' },
  { type: 'DISMISS_NOTIFICATION', id: 1 },
);

const site = {
  name: 'harbor',
  displayName: 'Harbor',
  sequence: 1,
  areEntitlementRequirementsMet: true,
  mfaRequirementMet: true,
  logoPath: undefined,
  storedBooks: undefined,
  clientEntitlement: undefined,
  disabledForEntitlements: undefined,
  disabledForMfaRequirements: undefined,
  autofocus: undefined,
  sites: undefined,
};

/** The answers of a service whose decisions are random. */
function answersOf(context: AuthContext, status: AuthStatus): { [TName in CallName]?: ParsedAnswer<TName> } {
  const answer = {
    status,
    location: 'https://boards.example/',
    authSiteIdentityBaseUri: undefined,
    mfaAdaptivePolicyEnabled: undefined,
    mfaPhoneNumberSuffix: undefined,
    mfaCodeValidityInMinutes: undefined,
  };
  return {
    getAuthContext: context,
    getRefreshContext: context,
    getLogoutContext: {
      requiresConfirmation: context.selectSite,
      showCancelButton: true,
      postLogoutRedirectUri: context.cancelRedirectUri,
      signOutIFrameUrl: undefined,
    },
    getSiteExistence: {
      siteExists: context.selectSite,
      identityServiceUrl: 'https://id.example',
      forgotPasswordUrl: undefined,
    },
    getSiteSettings: { allowPasswordEntry: context.allowPasswordEntry },
    getUserSettings: { shouldRedirectToExternalAuth: context.selectSite },
    authenticate: answer,
    verifyMfaCode: answer,
    passwordReset: answer,
    selectSite: answer,
    passwordPolicy: { policyLines: [] },
    getSites: {
      sites: context.selectSite ? [site] : [],
      userFirstName: 'A',
      userLastName: 'B',
      boardsUserName: 'ab',
      directorToDoItemsEnabled: true,
    },
    getPostLoginRedirect: { location: 'https://boards.example/' },
    getRetry: { retry: true },
  };
}

/** The event after an effect; undefined if there is none. */
function answerTo(
  effect: Effect,
  good: boolean,
  context: AuthContext,
  failure: Failure,
  status: AuthStatus,
): FlowEvent | undefined {
  switch (effect.type) {
    case 'call':
      return good
        ? effect.answered(answersOf(context, status)[effect.name], {
            retryAfterSeconds: undefined,
            serviceTimeMs: 1e12,
            receivedAtMs: 0,
          })
        : (effect.failed?.(failure, false) ?? { type: 'CALL_FAILED', failure });
    case 'keep-preference':
      return good
        ? { type: 'SITE_LIST_CHANGED', change: { recentSites: [site.name] } }
        : { type: 'PREFERENCE_FAILED', failure };
    case 'start-timer':
      return { type: 'TIMER_FIRED', timer: effect.timer };
    case 'leave-with-email':
      return good ? undefined : { type: 'SITE_CHECKED', site: effect.email, answer: { siteExists: false } };
    case 'leave':
    case 'leave-to-external':
    case 'load-todos':
    case 'remember-site':
    case 'report':
    case 'show-address':
    case 'stop-timer':
    case 'stop-todos':
      return undefined;
  }
}

/** Effects that navigate away. After them, `loading` can stay true until the browser has navigated. */
const departures = new Set<Effect['type']>(['leave', 'leave-to-external', 'leave-with-email']);

interface Simulation {
  state: FlowState;
  pending: Effect[];
  departed: boolean;
}

function step(simulation: Simulation, event: FlowEvent): Simulation {
  const row = findRow(simulation.state, event);
  const { state, effects } = transition(simulation.state, event);
  if (state.page === 'logged-out' && simulation.state.page !== 'logged-out')
    expect(event.type, 'signed out without a sign-out').toBe('SIGNED_OUT');
  if (row) {
    const allowed: readonly (string | undefined)[] = row.to;
    const stayed = state.page === simulation.state.page;
    expect(
      stayed
        ? allowed.includes('same') || allowed.includes(state.page ?? 'same')
        : allowed.includes(state.page),
      `${event.type}: ${simulation.state.page} → ${state.page} is not in the table`,
    ).toBe(true);
  }
  // The store drops answers to an earlier run.
  const pending = state.run === simulation.state.run ? simulation.pending : [];
  return {
    state,
    pending: [...pending, ...effects],
    departed:
      (state.run === simulation.state.run && simulation.departed) ||
      effects.some(({ type }) => departures.has(type)),
  };
}

function holdsAlways({ state, pending, departed }: Simulation): void {
  const { page, context, loading, initialisation } = state;
  if (isStep(page) && initialisation === 'INITIALIZED')
    expect(context, 'a step without a context').toBeDefined();
  expect(JSON.stringify(state), 'a secret in the state').not.toContain(secret);
  const awaited = pending.some((effect) =>
    answerTo(effect, true, contextWith(), { kind: 'unexpected' }, 'redirect'),
  );
  if (loading) expect(awaited || departed, `loading for ever on ${page}`).toBe(true);
  if (initialisation === 'INITIALIZING') expect(awaited || departed, 'a splash for ever').toBe(true);
}

test('in any order of events: no step without a context, “signed out” only after a sign-out, no secret in the state, loading and splash always end, and every move is in the table [2.21, 4.1]', () => {
  const entries = fc.constantFrom<Entry>(
    { kind: 'login' },
    { kind: 'logout', logoutId: 'l' },
    { kind: 'error', errorId: 'e' },
    { kind: 'cancel-redirect-uri' },
    { kind: 'home', page: 'version' },
  );
  const moves = fc.array(
    fc.oneof(
      visitor,
      fc.record({
        answer: fc.nat(9),
        good: fc.boolean(),
        context: contexts,
        failure: failures,
        status: fc.constantFrom(...statuses),
      }),
    ),
    { minLength: 5, maxLength: 60 },
  );
  fc.assert(
    fc.property(entries, moves, (entry, list) => {
      let simulation = step(
        { state: initialState({ entry }), pending: [], departed: false },
        { type: 'STARTED' },
      );
      for (const move of list) {
        if ('type' in move) simulation = step(simulation, move);
        else {
          const index = move.answer % Math.max(1, simulation.pending.length);
          const effect = simulation.pending[index];
          if (!effect) continue;
          const answer = answerTo(effect, move.good, move.context, move.failure, move.status);
          const answered = { ...simulation, pending: simulation.pending.filter((_, at) => at !== index) };
          simulation = answer ? step(answered, answer) : answered;
        }
        holdsAlways(simulation);
      }
    }),
    { numRuns: 3000 },
  );
});

test('every step has a way out that the visitor can take', () => {
  const ways: [Page, FlowEvent][] = [
    ['choose-account', { type: 'OTHER_ACCOUNT' }],
    ['site-entry', { type: 'SITE_ENTERED', site: 'harbor' }],
    ['credentials', { type: 'BACK_TO_SITE' }],
    ['elevate', { type: 'BACK_TO_BOARDS' }],
    ['password-required', { type: 'BACK' }],
    ['second-factor-required', { type: 'BACK_TO_SITE' }],
    ['password-reset-required', { type: 'CANCEL_PASSWORD_CHANGE' }],
    ['password-reset-voluntary', { type: 'CANCEL_PASSWORD_CHANGE' }],
    ['select-site', { type: 'SIGN_OUT' }],
    ['logout', { type: 'CANCEL_LOGOUT' }],
  ];
  for (const [page, event] of ways)
    expect(findRow({ ...initialState({ entry: { kind: 'login' } }), page }, event), page).toBeDefined();
  expect(ways.map(([page]) => page)).toEqual(expect.arrayContaining([...steps]));
});
