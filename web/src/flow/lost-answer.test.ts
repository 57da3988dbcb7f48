import { describe, expect, test } from 'vitest';
import type { AuthContext } from '@anteroom/contract';
import { lostAnswer } from './lost-answer.ts';
import { contextWith, play, toCredentials, validSession } from './testing.ts';

const before = play(toCredentials()).state;
const signedIn = (more: Partial<AuthContext> = {}): AuthContext =>
  contextWith({ session: validSession, ...more });

describe('F13: a call that changes something was not answered, and the context was read', () => {
  test('nobody is signed in yet: the visitor may try again', () => {
    for (const by of ['authenticate', 'verify-mfa-code', 'reset-password', 'select-site'] as const)
      expect(lostAnswer(before, contextWith({ defaultSite: 'harbor' }), by)).toBeUndefined();
  });

  test('somebody is signed in now: the sign-in goes on where it stands', () => {
    const statusOf = (context: AuthContext) => lostAnswer(before, context, 'authenticate')?.status;
    expect(statusOf(signedIn())).toBe('redirect');
    expect(statusOf(signedIn({ session: { ...validSession, authSite: undefined } }))).toBe(
      'select_site_required',
    );
    expect(statusOf(signedIn({ promptMethod: 'switch_site' }))).toBe('select_site_required');
    expect(statusOf(signedIn({ promptMethod: 'change_password' }))).toBe('password_reset_required');
  });

  test('somebody was signed in before: that they still are says nothing of a password that was confirmed', () => {
    const known = { ...before, context: signedIn({ promptMethod: 'elevate' }) };
    expect(lostAnswer(known, signedIn({ promptMethod: 'elevate' }), 'authenticate')).toBeUndefined();
  });

  test('a chosen site that the session has now was entered; one that it had before, or has not, was not', () => {
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

  test('a sign-in that the service knows no more is asked about: it says where to go on', () => {
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
