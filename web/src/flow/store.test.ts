import { describe, expect, test } from 'vitest';
import type { FlowEvent } from './events.ts';
import { createFlow } from './store.ts';
import type { Flow } from './store.ts';
import { contextWith, toCredentials, validSession } from './testing.ts';

interface Watched extends Flow {
  /** Reports an event as the result of the pending call of this name, or of another effect of this type. */
  answer: (name: string, event: FlowEvent) => void;
  requested: () => readonly string[];
}

function flowAt(events: readonly FlowEvent[]): Watched {
  const started: { name: string; report: (event: FlowEvent) => void }[] = [];
  const flow = createFlow({ entry: { kind: 'login' } }, (effect, { report }) => {
    started.push({ name: effect.type === 'call' ? effect.name : effect.type, report });
  });
  for (const event of events) flow.send(event);
  return {
    ...flow,
    answer: (name, event) => started.findLast((effect) => effect.name === name)?.report(event),
    requested: () => started.map(({ name }) => name),
  };
}

const signIn: FlowEvent = { type: 'SIGN_IN', userName: 'ada', password: 'secret' };
const redirect = { status: 'redirect', location: 'https://boards.example/' } as const;
const reset: FlowEvent = {
  type: 'RESET_PASSWORD',
  currentPassword: 'a',
  newPassword: 'b',
  newPasswordConfirmation: 'b',
};
const toRequiredReset: FlowEvent[] = [
  ...toCredentials(),
  signIn,
  { type: 'AUTH_ANSWERED', by: 'authenticate', answer: { status: 'password_reset_required' } },
  {
    type: 'CONTEXT_REFRESHED',
    because: 'password_reset_required',
    context: contextWith({ session: validSession }),
  },
  { type: 'POLICY_LOADED', policy: undefined, page: 'password-reset-required' },
];

describe('a late answer does not move a visitor who has left the step', () => {
  test('after a return to the site entry, the answer of the sign-in changes nothing', () => {
    const flow = flowAt([...toCredentials(), signIn, { type: 'BACK_TO_SITE' }]);
    flow.answer('authenticate', { type: 'AUTH_ANSWERED', by: 'authenticate', answer: redirect });
    expect(flow.store.getState()).toMatchObject({ page: 'site-entry', loading: false, leavingTo: undefined });
    expect(flow.requested()).not.toContain('start-timer');
  });

  test('a return to the site entry ends the post-login delay', () => {
    const flow = flowAt([
      ...toCredentials(),
      signIn,
      { type: 'AUTH_ANSWERED', by: 'authenticate', answer: redirect },
      { type: 'BACK_TO_SITE' },
    ]);
    flow.answer('start-timer', { type: 'TIMER_FIRED', timer: 'post-login-redirect' });
    expect(flow.requested()).not.toContain('getPostLoginRedirect');
  });

  test('after a return to the site entry, the answer of the user look-up changes nothing', () => {
    const flow = flowAt([
      ...toCredentials({}, false),
      { type: 'USER_NAME_ENTERED', usernameOrEmail: 'ada' },
      { type: 'BACK_TO_SITE' },
    ]);
    flow.answer('getUserSettings', {
      type: 'USER_SETTINGS_LOADED',
      usernameOrEmail: 'ada',
      answer: { shouldRedirectToExternalAuth: true },
    });
    expect(flow.requested()).not.toContain('leave-to-external');
    expect(flow.store.getState().page).toBe('site-entry');
  });

  test('cancel during a password change', () => {
    const flow = flowAt([...toRequiredReset, reset, { type: 'CANCEL_PASSWORD_CHANGE' }]);
    flow.answer('passwordReset', { type: 'AUTH_ANSWERED', by: 'passwordReset', answer: redirect });
    expect(flow.store.getState()).toMatchObject({ page: 'credentials', loading: false });
    expect(flow.requested()).not.toContain('leave');
  });
});
