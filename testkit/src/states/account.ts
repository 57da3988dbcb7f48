import { accountAt } from '../scripted/opening-scene.ts';
import { faultyField, fill, press, submit, waitFor } from './moves.ts';
import type { Stage } from './state.ts';
import { statesOf } from './state.ts';

const account = { path: '/account' };

/** The user has an app, with few recovery codes left. */
const withApp = ({ script, places }: Stage): void =>
  script.answer('getAccount', {
    ...accountAt(places),
    authenticatorApp: { setUpAt: '2026-05-11T10:00:00Z', recoveryCodesLeft: 3 },
  });
const setUpApp = [press('set-up-app'), waitFor('[data-recovery-codes]')];

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
  { id: 'account-app-set-up', name: 'the account, an authenticator app set up', ...account, moves: setUpApp },
  {
    id: 'account-app-wrong',
    name: 'the account, a wrong code of a new app',
    ...account,
    set: ({ script }) => script.fail('setUpAuthenticatorApp', 'invalid_credentials'),
    moves: [...setUpApp, fill('code', '123456'), submit, faultyField],
  },
  {
    id: 'account-recovery-codes',
    name: 'the account, new recovery codes',
    ...account,
    set: withApp,
    moves: [press('make-recovery-codes'), waitFor('[data-recovery-codes]')],
  },
  {
    id: 'account-app-required',
    name: 'the account, an app that a site asks for',
    ...account,
    set: (stage) => {
      withApp(stage);
      stage.script.fail('removeAuthenticatorApp', 'site_requires_mfa');
    },
    moves: [press('remove-app'), waitFor('[data-app] [role="alert"] div')],
  },
]);
