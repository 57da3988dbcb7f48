import { accountAt } from '../scripted/opening-scene.ts';
import { faultyField, fill, press, submit, waitFor } from './moves.ts';
import type { Move, Stage } from './state.ts';
import { statesOf } from './state.ts';

const account = { path: '/account' };

/** The user has an app with few recovery codes left. */
const withApp = ({ script, urls }: Stage): void =>
  script.answer('getAccount', {
    ...accountAt(urls),
    authenticatorApp: { setUpAt: '2026-05-11T10:00:00Z', recoveryCodesLeft: 3 },
  });
const enterCode: Move = { do: 'enter-code', digits: '123456' };
const openNumber = [press('set-phone-number'), waitFor('input[name="phoneNumber"]')];
const enterNumber = [...openNumber, fill('phoneNumber', '+44 20 7946 0777'), submit];
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
    name: 'the account, a failed change',
    ...account,
    set: ({ script }) => script.fail('endOtherSessions', 'overloaded', { retryAfterSeconds: 60 }),
    moves: [
      { do: 'click', on: '[data-action="end-other-sessions"]' },
      { do: 'wait-for', selector: '[role="alert"] div' },
    ],
  },
  {
    id: 'account-passkey-name',
    name: 'the account, renaming a passkey',
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
    name: 'the account, a passkey required by a site',
    ...account,
    set: ({ script }) => script.fail('removeAccountPasskey', 'site_requires_mfa'),
    moves: [
      { do: 'click', on: '[data-action="remove-passkey"]' },
      { do: 'submit' },
      { do: 'wait-for', selector: '[role="alert"] div' },
    ],
  },
  {
    id: 'account-app-set-up',
    name: 'the account, setting up an authenticator app',
    ...account,
    moves: setUpApp,
  },
  {
    id: 'account-app-wrong',
    name: 'the account, a wrong code of a new app',
    ...account,
    set: ({ script }) => script.fail('setUpAuthenticatorApp', 'invalid_credentials'),
    moves: [...setUpApp, enterCode, submit, faultyField],
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
    name: 'the account, an authenticator app required by a site',
    ...account,
    set: (stage) => {
      withApp(stage);
      stage.script.fail('removeAuthenticatorApp', 'site_requires_mfa');
    },
    moves: [press('remove-app'), waitFor('[data-app] [role="alert"] div')],
  },
  {
    id: 'account-phone-invalid',
    name: 'the account, an invalid phone number',
    ...account,
    set: ({ script }) => script.fail('sendPhoneNumberCode', 'mfa_invalid_phone_number'),
    moves: [...enterNumber, faultyField],
  },
  {
    id: 'account-phone-wait',
    name: 'the account, waiting to request a code for a new phone number',
    ...account,
    set: ({ script }) => script.fail('sendPhoneNumberCode', 'rate_limit_reached', { retryAfterSeconds: 90 }),
    moves: [...enterNumber, waitFor('[role="alert"] div')],
  },
  {
    id: 'account-phone-code',
    name: 'the account, a wrong code for a new phone number',
    ...account,
    set: ({ script }) => script.fail('setPhoneNumber', 'invalid_credentials'),
    moves: [...enterNumber, waitFor('input[name="code-1"]'), enterCode, submit, faultyField],
  },
  {
    id: 'account-phone-tries',
    name: 'the account, too many wrong codes for a new phone number',
    ...account,
    set: ({ script }) => script.fail('setPhoneNumber', 'mfa_max_attempts_exceeded'),
    moves: [
      ...enterNumber,
      waitFor('input[name="code-1"]'),
      enterCode,
      submit,
      waitFor('[data-action="prove-again"]'),
    ],
  },
  {
    id: 'account-phone-ask',
    name: 'the account, a phone number that only the board office can add',
    ...account,
    set: ({ script, urls }) =>
      script.answer('getAccount', { ...accountAt(urls), phoneNumber: undefined, mayAddCodeFactor: false }),
    moves: [waitFor('[data-phone="none"]')],
  },
  {
    id: 'account-activity',
    name: 'the account, recent activity',
    ...account,
    moves: [press('show-activity'), waitFor('[data-activity]')],
  },
]);
