import { returnUrl } from '../context.ts';
import { call } from '../effects.ts';
import { steps } from '../model.ts';
import { row, stay, withoutNotice, withoutNotification } from '../transition.ts';

export const noticeRows = [
  row({
    on: 'TEXT_MISSING',
    from: 'any',
    to: ['same'],
    act: (state, { what }) =>
      stay(state, { type: 'report', metric: { name: 'text-missing', data: { what } } }),
  }),
  row({
    on: 'DISMISS_NOTIFICATION',
    from: 'any',
    to: ['same'],
    act: (state, { id }) => stay(withoutNotification(state, id)),
  }),
  row({
    on: 'CONNECTED',
    // The error page describes the failure itself.
    from: steps,
    to: ['same'],
    act: (state) => stay(withoutNotice(state, 'error.serverUnreachable')),
  }),
  row({
    on: 'ERROR_RECORD_LOADED',
    from: ['error'],
    to: ['same'],
    act: (state, { record }) => stay({ ...state, errorPage: { ...state.errorPage, record, loading: false } }),
  }),
];

export const timerRows = [
  row({
    on: 'TIMER_FIRED',
    from: 'any',
    to: ['same'],
    act: (state, { timer }) => {
      switch (timer) {
        case 'post-login-redirect':
          return stay(
            state,
            call('getPostLoginRedirect', { query: { returnUrl: returnUrl(state) } }, ({ location }) => ({
              type: 'POST_LOGIN_REDIRECT_LOADED',
              location,
            })),
          );
        case 'retry-check':
          return stay(
            state,
            call('getRetry', {}, ({ retry }) => ({ type: 'RETRY_CHECKED', retry }), {
              failed: () => ({ type: 'RETRY_CHECKED', retry: false }),
            }),
          );
        case 'logged-out-redirect':
          return state.leavingTo === undefined
            ? stay(state)
            : stay(state, { type: 'leave', location: state.leavingTo });
        case 'card-margin':
          return stay({ ...state, cardMargin: false });
        default:
          return stay(withoutNotification(state, Number(timer.slice('notification-'.length))));
      }
    },
  }),
];
