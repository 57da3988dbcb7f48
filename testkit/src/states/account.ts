import { statesOf } from './state.ts';

const account = { path: '/account' };

export const accountStates = statesOf('Account', 'account', [
  { id: 'account', name: 'the account', ...account },
  {
    id: 'account-ended',
    name: 'the account, signed out elsewhere',
    ...account,
    moves: [
      { do: 'click', on: '[data-action="end-other-sessions"]' },
      { do: 'wait-for', selector: '[data-banner="info"]' },
    ],
  },
  {
    id: 'account-failed',
    name: 'the account, a change that failed',
    ...account,
    set: ({ script }) => script.fail('endOtherSessions', 'overloaded', { retryAfterSeconds: 60 }),
    moves: [
      { do: 'click', on: '[data-action="end-other-sessions"]' },
      { do: 'wait-for', selector: '[role="alert"] div' },
    ],
  },
  {
    id: 'account-passkey-name',
    name: 'the account, a passkey that is renamed',
    ...account,
    moves: [
      { do: 'click', on: '[data-action="rename-passkey"]' },
      { do: 'fill', field: 'name', text: '' },
      { do: 'submit' },
      { do: 'wait-for', selector: '[aria-invalid="true"]' },
    ],
  },
  {
    id: 'account-last-factor',
    name: 'the account, a passkey that a site needs',
    ...account,
    set: ({ script }) => script.fail('removeAccountPasskey', 'site_requires_mfa'),
    moves: [
      { do: 'click', on: '[data-action="remove-passkey"]' },
      { do: 'submit' },
      { do: 'wait-for', selector: '[role="alert"] div' },
    ],
  },
]);
