import { describe, expect, test } from 'vitest';
import { findOrganisation, knownUserName, withoutUser } from './context.ts';
import { initialState } from './model.ts';
import type { FlowState } from './model.ts';
import { contextWith } from './testing.ts';
import { failWithoutForm, goTo, onAction, showError, stay, withError } from './transition.ts';

const start: FlowState = { ...initialState({ entry: { kind: 'login' } }), page: 'credentials' };

test('the error of a form stays if the flow arrives on its page again, and no other page shows it', () => {
  const failed = withError(start, 'InvalidCredentials');
  expect(goTo(failed, 'credentials').state.error?.kind).toBe('InvalidCredentials');
  expect(goTo(failed, 'elevate').state.error).toBeUndefined();
});

test('an ended session restarts the sign-in once for each action, then leads to the error page [8.1]', () => {
  const fail = (state: FlowState): FlowState =>
    failWithoutForm(state, { kind: 'unauthorised', status: 401 }, stay).state;
  const once = fail(start);
  expect(once.page).toBe('credentials');
  expect(fail(once).page).toBe('error');
  expect(fail(onAction(once)).page).toBe('credentials');
});

test('the error page loads its record only if it has an id', () => {
  expect(showError(start, { errorId: 'x' }).state.errorPage.loading).toBe(true);
  expect(showError(start).state.errorPage.loading).toBe(false);
});

describe('the user name', () => {
  test('is read-only on the steps after the credentials only', () => {
    const entered: FlowState = { ...start, enteredUserName: 'ada' };
    expect(knownUserName(entered)).toBeUndefined();
    expect(knownUserName({ ...entered, page: 'second-factor-required' })).toBe('ada');
  });

  test('and the phone number leave the context with the user', () => {
    const context = contextWith({ userName: 'ada', mfaPhoneNumberSuffix: '42' });
    expect(withoutUser(context)).toMatchObject({ userName: undefined, mfaPhoneNumberSuffix: undefined });
  });
});

test('the organisation of the context belongs to its own site only', () => {
  const context = contextWith({ defaultSite: 'harbor', defaultSiteDisplayName: 'Harbor Trust' });
  expect(findOrganisation({ ...start, context, site: 'harbor' })?.displayName).toBe('Harbor Trust');
  expect(findOrganisation({ ...start, context, site: 'summit' })).toBeUndefined();
});
