import { describe, expect, test } from 'vitest';
import type { AuthContext } from '@anteroom/contract';
import { lostAnswer } from './lost-answer.ts';
import { contextWith, play, toCredentials, validSession } from './testing.ts';

const before = play(toCredentials()).state;
const signedIn = (more: Partial<AuthContext> = {}): AuthContext =>
  contextWith({ session: validSession, ...more });

describe('F13: the context after a state-changing call without an answer', () => {
  test('with no session, the visitor can try again', () => {
    for (const by of ['authenticate', 'verify-mfa-code', 'reset-password', 'select-site'] as const)
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
    expect(lostAnswer(choosing(undefined), signedIn(), 'select-site')?.status).toBe('redirect');
    expect(lostAnswer(choosing('summit'), signedIn(), 'select-site')?.status).toBe('redirect');
    expect(lostAnswer(choosing('harbor'), signedIn(), 'select-site')).toBeUndefined();
    expect(
      lostAnswer(
        choosing('summit'),
        signedIn({ session: { ...validSession, authSite: 'summit' } }),
        'select-site',
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
    expect(effects.at(-1)).toEqual({ type: 'load-post-login-redirect' });
    expect(state.loading).toBe(true);
  });
});
