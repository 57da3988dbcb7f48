import { row, stay, withoutNotification } from '../transition.ts';

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
    on: 'ERROR_RECORD_LOADED',
    from: ['error'],
    to: ['same'],
    act: (state, { record }) => stay({ ...state, errorPage: { ...state.errorPage, record, loading: false } }),
  }),
];
