import { describe, expect, test } from 'vitest';
import type { AuthContext } from '@anteroom/contract';
import { lostAnswer } from './lost-answer.ts';
import { callsIn, contextWith, play, toCredentials, validSession } from './testing.ts';

const before = play(toCredentials()).state;
const signedIn = (more: Partial<AuthContext> = {}): AuthContext =>
  contextWith({ session: validSession, ...more });

describe('the context after a state-changing call without an answer [F13]', () => {
  test('with no session, the visitor can try again', () => {
    for (const by of ['authenticate', 'verifyMfaCode', 'passwordReset', 'selectSite'] as const)
      expect(lostAnswer(before, contextWith({ defaultSite: 'harbor' }), by)).toBeUndefined();
  });

  test('with a new session, the sign-in continues', () => {
    const statusOf = (context: AuthContext) => lostAnswer(before, context, 'authenticate')?.status;
    expect(statusOf(signedIn())).toBe('redirect');
    expect(statusOf(signedIn({ session: { ...validSession, authSite: undefined } }))).toBe(
      'select_site_required',
    );
    expect(statusOf(signedIn({ promptMethod: 'switch_site' }))).toBe('select_site_required');
    expect(statusOf(signedIn({ promptMethod: 'change_password' }))).toBe('password_reset_required');
  });

  test('with the session from before, nothing is known about a confirmed password', () => {
    const known = { ...before, context: signedIn({ promptMethod: 'elevate' }) };
    expect(lostAnswer(known, signedIn({ promptMethod: 'elevate' }), 'authenticate')).toBeUndefined();
  });

  test('a selected site counts as entered only if the session has it now and did not before', () => {
    const choosing = (authSite: string | undefined) => ({
      site: 'harbor',
      context: signedIn({ session: { ...validSession, authSite } }),
    });
    expect(lostAnswer(choosing(undefined), signedIn(), 'selectSite')?.status).toBe('redirect');
    expect(lostAnswer(choosing('summit'), signedIn(), 'selectSite')?.status).toBe('redirect');
    expect(lostAnswer(choosing('harbor'), signedIn(), 'selectSite')).toBeUndefined();
    expect(
      lostAnswer(
        choosing('summit'),
        signedIn({ session: { ...validSession, authSite: 'summit' } }),
        'selectSite',
      ),
    ).toBeUndefined();
  });

  test('if the service no longer knows the sign-in, it decides where to go', () => {
    const answer = lostAnswer(before, 'gone', 'authenticate');
    expect(answer).toMatchObject({ status: 'redirect', location: undefined });
    if (!answer) return;
    const { state, effects } = play(
      [
        { type: 'AUTH_ANSWERED', by: 'authenticate', answer },
        { type: 'TIMER_FIRED', timer: 'post-login-redirect' },
      ],
      before,
    );
    expect(callsIn(effects, 'getPostLoginRedirect')).toHaveLength(1);
    expect(state.loading).toBe(true);
  });
});
