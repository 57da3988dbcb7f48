import type { AccountCallAnswer } from '@anteroom/contract/account';
import { accountAt } from '../scripted/opening-scene.ts';
import type { ScriptedUrls } from '../scripted/opening-scene.ts';
import { faultyField, fill, press, submit, waitFor } from './moves.ts';
import type { Move, Stage } from './state.ts';
import { statesOf } from './state.ts';

type Account = AccountCallAnswer<'getAccount'>;

const account = { path: '/account' };

/** The user has no second factor. */
const passwordOnlyAt = (urls: ScriptedUrls): Account => ({
  ...accountAt(urls),
  passkeys: [],
  phoneNumber: undefined,
});

/** What a session from a company may see. */
const limitedAt = (urls: ScriptedUrls): Account => {
  const { userName, name, email, sessions, backUri } = accountAt(urls);
  return {
    isLimited: true,
    userName,
    name,
    email,
    sites: ['Northwind Holdings'],
    companies: [{ displayName: 'Northwind Holdings', lastUsedAt: '2026-11-20T08:05:00Z' }],
    sessions,
    rememberedComputers: 0,
    backUri,
  };
};

/** The user has an app with few recovery codes left. */
const withApp = ({ script, urls }: Stage): void =>
  script.answer('getAccount', {
    ...accountAt(urls),
    authenticatorApp: { setUpAt: '2026-05-11T10:00:00Z', recoveryCodesLeft: 3 },
  });
const enterCode: Move = { do: 'enter-code', digits: '123456' };
const openNumber = [press('set-phone-number'), waitFor('input[name="phoneNumber"]')];
const enterNumber = [...openNumber, fill('phoneNumber', '+44 20 7946 0777'), submit];
const setUpApp = [press('set-up-app'), waitFor('main code')];
const toCodeOfApp = [submit, waitFor('[data-recovery-codes]'), submit];

export const accountStates = statesOf('Account', 'account', [
  { id: 'account', name: 'the account', ...account },
  {
    id: 'account-protected',
    name: 'the account, nothing left to set up',
    set: ({ script, urls }) =>
      script.answer('getAccount', {
        ...accountAt(urls),
        authenticatorApp: { setUpAt: '2026-05-11T10:00:00Z', recoveryCodesLeft: 9 },
      }),
    ...account,
  },
  {
    id: 'account-needed',
    name: 'the account, factors that a board requires',
    set: ({ script, urls }) =>
      script.answer('getAccount', { ...accountAt(urls), neededFactors: ['sms', 'passkey'] }),
    ...account,
  },
  {
    id: 'account-ended',
    name: 'the account, signed out elsewhere',
    ...account,
    set: ({ script, urls }) => {
      const { sessions, ...others } = accountAt(urls);
      let hasOthers = true;
      script.answer('endOtherSessions', () => void (hasOthers = false));
      script.answer('getAccount', () => ({
        ...others,
        sessions: sessions.filter(({ isPresent }) => isPresent || hasOthers),
      }));
    },
    moves: [press('end-other-sessions'), submit, waitFor('[data-banner="info"]')],
  },
  {
    id: 'account-ending',
    name: 'the account, before signing out elsewhere',
    ...account,
    moves: [press('end-other-sessions'), waitFor('[data-action="cancel"]')],
  },
  {
    id: 'account-failed',
    name: 'the account, a failed change',
    ...account,
    set: ({ script }) => script.fail('endOtherSessions', 'overloaded', { retryAfterSeconds: 60 }),
    moves: [press('end-other-sessions'), submit, waitFor('[role="alert"] div')],
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
    id: 'account-app-code',
    name: 'the account, the first code of a new app',
    ...account,
    moves: [...setUpApp, ...toCodeOfApp, waitFor('input[name="code-1"]')],
  },
  {
    id: 'account-app-wrong',
    name: 'the account, a wrong code of a new app',
    ...account,
    set: ({ script }) => script.fail('setUpAuthenticatorApp', 'invalid_credentials'),
    moves: [...setUpApp, ...toCodeOfApp, enterCode, submit, faultyField],
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
    moves: [press('remove-app'), submit, waitFor('[data-row="app"] [role="alert"] div')],
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
    id: 'account-password-only',
    name: 'the account, only a password',
    ...account,
    set: ({ script, urls }) => script.answer('getAccount', passwordOnlyAt(urls)),
    moves: [waitFor('[data-row="phone"]')],
  },
  {
    id: 'account-may-not-add',
    name: 'the account, only a password, which cannot add a factor',
    ...account,
    set: ({ script, urls }) =>
      script.answer('getAccount', {
        ...passwordOnlyAt(urls),
        mayAddPasskey: false,
        mayAddCodeFactor: false,
      }),
    moves: [waitFor('[data-row="phone"]')],
  },
  {
    id: 'account-limited',
    name: 'the account, signed in through a company',
    ...account,
    set: ({ script, urls }) => script.answer('getAccount', { ...limitedAt(urls), mayProveOwnPassword: true }),
    moves: [waitFor('[data-action="prove-own-password"]')],
  },
  {
    id: 'account-limited-alone',
    name: 'the account, signed in through a company, no own password',
    ...account,
    set: ({ script, urls }) =>
      script.answer('getAccount', { ...limitedAt(urls), mayProveOwnPassword: false }),
    moves: [waitFor('[data-limited]')],
  },
  {
    id: 'account-activity',
    name: 'the account, all activity',
    ...account,
    moves: [press('show-activity'), waitFor('[data-activity] li:nth-child(6)')],
  },
  {
    id: 'account-removing',
    name: 'the account, removing the phone number, the only second factor',
    ...account,
    set: ({ script, urls }) => script.answer('getAccount', { ...accountAt(urls), passkeys: [] }),
    moves: [press('remove-phone-number'), waitFor('[data-row="phone"] form')],
  },
  {
    id: 'account-data',
    name: 'the account, the stored data',
    ...account,
    moves: [press('show-data'), waitFor('main dl')],
  },
]);
