// @vitest-environment happy-dom
import { errorCatalogue } from '@anteroom/contract';
import type { AuthContext, ErrorCode } from '@anteroom/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failureOf, timingOf, unreachable } from '../api/failures.ts';
import type { Failure, FlowEvent } from '../flow/events.ts';
import type { Page } from '../flow/model.ts';
import { drawApp, contextOf, returnUrl } from './testing/draw-app.tsx';
import type { DrawnApp } from './testing/draw-app.tsx';
import { step } from './testing/page.ts';

// No action of a visitor may end without a visible answer: another page, a message in the form, or a notification.

/** A form or a selection: how it opens, what the visitor does, and how its call fails. */
interface Form {
  page: Page;
  name: string;
  open: readonly FlowEvent[];
  action: FlowEvent;
  fail: (failure: Failure) => FlowEvent;
}

const withContext = (changes: Partial<AuthContext> = {}, allowPasswordEntry = true): FlowEvent[] => [
  { type: 'CONTEXT_LOADED', context: contextOf(changes) },
  { type: 'SITE_SETTINGS_LOADED', answer: { allowPasswordEntry } },
];
const answered = (status: 'second_factor_required' | 'password_required'): FlowEvent => ({
  type: 'AUTH_ANSWERED',
  by: 'authenticate',
  answer: { status },
});
const authFailed = (failure: Failure): FlowEvent => ({ type: 'AUTH_FAILED', failure });

const valid = { state: 'valid', authSite: 'acme', isExternallyAuthenticated: false } as const;
const signIn: FlowEvent = { type: 'SIGN_IN', userName: 'ada', password: 'x' };
const toCode = [...withContext(), answered('second_factor_required')];
const site = {
  name: 'acme',
  displayName: 'Acme',
  sequence: 1,
  areEntitlementRequirementsMet: true,
  mfaRequirementMet: true,
};
const toSites: FlowEvent[] = [
  ...withContext({ selectSite: true, session: valid }),
  {
    type: 'SITES_LOADED',
    siteList: {
      sites: [site],
      userFirstName: 'Ada',
      userLastName: 'L',
      boardsUserName: 'ada',
      directorToDoItemsEnabled: false,
    },
  },
];
const change: FlowEvent = {
  type: 'RESET_PASSWORD',
  currentPassword: 'x',
  newPassword: 'y',
  newPasswordConfirmation: 'y',
};

const forms: readonly Form[] = [
  {
    page: 'site-entry',
    name: 'the site',
    open: [{ type: 'CONTEXT_LOADED', context: contextOf({ identityServiceUrl: undefined }) }],
    action: { type: 'SITE_ENTERED', site: 'acme' },
    fail: (failure) => ({ type: 'SITE_CHECK_FAILED', failure }),
  },
  {
    page: 'credentials',
    name: 'the user name',
    open: withContext({}, false),
    action: { type: 'USER_NAME_ENTERED', usernameOrEmail: 'ada' },
    fail: (failure) => ({ type: 'USER_SETTINGS_FAILED', failure }),
  },
  {
    page: 'credentials',
    name: 'the password',
    open: withContext(),
    action: signIn,
    fail: authFailed,
  },
  {
    page: 'elevate',
    name: 'the password',
    open: withContext({ promptMethod: 'elevate', session: valid, userName: 'ada' }),
    action: signIn,
    fail: authFailed,
  },
  {
    page: 'password-required',
    name: 'the password',
    open: [...withContext(), answered('password_required')],
    action: signIn,
    fail: authFailed,
  },
  {
    page: 'second-factor-required',
    name: 'the code',
    open: toCode,
    action: { type: 'CODE_ENTERED', code: '123456', publicComputerSignIn: false },
    fail: authFailed,
  },
  {
    page: 'second-factor-required',
    name: 'a new code',
    open: toCode,
    action: { type: 'RESEND_CODE' },
    fail: (failure) => ({ type: 'RESEND_FAILED', failure }),
  },
  {
    page: 'password-reset-required',
    name: 'the new password',
    open: [
      ...withContext(),
      { type: 'AUTH_ANSWERED', by: 'authenticate', answer: { status: 'password_reset_required' } },
      { type: 'POLICY_LOADED', policy: { policyLines: [] }, page: 'password-reset-required' },
    ],
    action: change,
    fail: authFailed,
  },
  {
    page: 'password-reset-voluntary',
    name: 'the new password',
    open: [
      ...withContext({ promptMethod: 'change_password', session: valid, userName: 'ada' }),
      { type: 'POLICY_LOADED', policy: { policyLines: [] }, page: 'password-reset-voluntary' },
    ],
    action: change,
    fail: authFailed,
  },
  {
    page: 'select-site',
    name: 'the site',
    open: toSites,
    action: { type: 'SELECT_SITE', site: 'acme' },
    fail: authFailed,
  },
  {
    page: 'select-site',
    name: 'the sign-out',
    open: toSites,
    action: { type: 'SIGN_OUT' },
    fail: authFailed,
  },
  {
    page: 'select-site',
    name: 'recent sites first',
    open: toSites,
    action: { type: 'PREFERENCE_CHOSEN', preference: { isOn: true } },
    fail: (failure) => ({ type: 'PREFERENCE_FAILED', failure }),
  },
];

const statuses = [400, 401, 403, 404, 429, 500, 502, 503];
const codes = [...Object.keys(errorCatalogue), 'a_code_of_tomorrow', ''] as ErrorCode[];
const descriptions = [undefined, '', ' ', '<b></b>', '&nbsp;', '<img src="x">', 'No.'];
const waits = [undefined, '0', '61', '3000'];

const statusOf = (code: string): number => errorCatalogue[code as ErrorCode]?.status ?? 400;

interface Refusal {
  status: number;
  code: ErrorCode;
  description: string | undefined;
  wait: string | undefined;
}

async function failureFor({ status, code, description, wait }: Refusal): Promise<Failure> {
  const response = Response.json(
    { code, description },
    { status, headers: wait === undefined ? {} : { 'Retry-After': wait } },
  );
  return failureOf(response, timingOf(response));
}

/** The visible messages, without the label for screen readers at a notification. */
function messages(): string {
  const places = document.querySelectorAll(
    '[data-notification] > div, main [role=alert], main [data-banner], main [id$="-message"]',
  );
  return [...places]
    .map(({ textContent }) => textContent.replace(/^(Error|Notice): /, ''))
    .join('')
    .trim();
}

async function expectAnswer(
  app: DrawnApp,
  { page, open, action, fail }: Form,
  failure: Failure,
): Promise<void> {
  await app.report(...open);
  expect(step()).toBe(page);
  await app.report(action);
  expect(messages(), 'the action removes earlier messages').toBe('');
  await app.report(fail(failure));
  expect(app.state().loading && app.state().initialisation === 'INITIALIZED', 'loading for ever').toBe(false);
  if (step() === page) expect(messages(), `no answer to ${JSON.stringify(failure)}`).not.toBe('');
}

const draw = (): Promise<DrawnApp> => drawApp({ entry: { kind: 'login' }, returnUrl }, withContext());

test.each(forms)('on $page, $name: every code has a visible answer [8.8, 8.11, 8.14]', async (form) => {
  expect.hasAssertions();
  const app = await draw();
  for (const code of codes)
    await expectAnswer(
      app,
      form,
      await failureFor({ status: statusOf(code), code, description: undefined, wait: undefined }),
    );
  await expectAnswer(app, form, unreachable);
});

test('in any form, any status, code, description and wait has a visible answer [8.8]', async () => {
  const app = await draw();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...forms),
      fc.record({
        status: fc.constantFrom(...statuses),
        code: fc.constantFrom(...codes),
        description: fc.constantFrom(...descriptions),
        wait: fc.constantFrom(...waits),
      }),
      async (form, refusal) => expectAnswer(app, form, await failureFor(refusal)),
    ),
    { numRuns: 200 },
  );
});
