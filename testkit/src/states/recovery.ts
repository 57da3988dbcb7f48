import { passwordRuleText } from '@anteroom/identity/texts/catalogue';
import { recoveryContextAt } from '../scripted/opening-scene.ts';
import { harborBoards } from './contexts.ts';
import { alert, dana, faultyField, fill, submit } from './moves.ts';
import { statesOf } from './state.ts';
import type { Move } from './state.ts';

const forgottenPassword = { step: 'forgotten-password', path: '/recovery/forgotten-password' };
const forgottenSite = { step: 'forgotten-site', path: '/recovery/forgotten-site' };
const newPassword = { step: 'new-password', path: '/recovery/new-password', fragment: '#token' };
const notMe = { step: 'not-me', path: '/recovery/not-me', fragment: '#token' };
const formGone: Move = { do: 'wait-until-gone', selector: 'main form' };
const choose: readonly Move[] = [
  fill('newPassword', 'a longer password'),
  fill('newPasswordConfirmation', 'a longer password'),
  submit,
];

export const recoveryStates = statesOf('Recovery', 'forgotten-password', [
  { id: 'forgotten-password', name: 'a forgotten password', ...forgottenPassword },
  {
    id: 'forgotten-password-brand',
    name: 'a forgotten password, for an application with its own branding',
    ...forgottenPassword,
    set: ({ script, urls }) =>
      script.answer('getRecoveryContext', { ...recoveryContextAt(urls), branding: harborBoards }),
  },
  {
    id: 'forgotten-password-empty',
    name: 'a forgotten password, left empty',
    ...forgottenPassword,
    moves: [submit, faultyField],
  },
  {
    id: 'forgotten-password-sent',
    name: 'a forgotten password, message sent',
    ...forgottenPassword,
    moves: [fill('userName', dana), submit, formGone],
  },
  {
    id: 'forgotten-password-too-often',
    name: 'a forgotten password, too many requests',
    ...forgottenPassword,
    set: ({ script }) => script.fail('sendPasswordLink', 'rate_limit_reached', { retryAfterSeconds: 600 }),
    moves: [fill('userName', dana), submit, alert],
  },
  { id: 'new-password', name: 'a new password from a link', ...newPassword },
  {
    id: 'new-password-refused',
    name: 'a new password from a link, rejected',
    ...newPassword,
    set: ({ script }) =>
      script.fail('setNewPassword', 'invalid_new_password', {
        policyLine: 'minimumLength',
        description: (language) => passwordRuleText(language, 'minimumLength', 15),
      }),
    moves: [...choose, faultyField],
  },
  {
    id: 'new-password-saved',
    name: 'a new password from a link, saved',
    ...newPassword,
    moves: [...choose, formGone],
  },
  {
    id: 'new-password-link-over',
    name: 'a link that is no longer valid',
    ...newPassword,
    set: ({ script }) => script.fail('openPasswordLink', 'recovery_link_invalid'),
  },
  { id: 'forgotten-site', name: 'a forgotten site', ...forgottenSite },
  {
    id: 'forgotten-site-invalid',
    name: 'a forgotten site, invalid address',
    ...forgottenSite,
    moves: [fill('email', 'dana'), submit, faultyField],
  },
  {
    id: 'forgotten-site-sent',
    name: 'a forgotten site, message sent',
    ...forgottenSite,
    moves: [fill('email', dana), submit, formGone],
  },
  { id: 'not-me', name: 'a change that the user did not make', ...notMe },
  {
    id: 'not-me-done',
    name: 'a change that the user did not make, account secured',
    ...notMe,
    moves: [submit, formGone],
  },
  {
    id: 'new-password-invitation-over',
    name: 'an invitation that is no longer valid',
    ...newPassword,
    path: '/recovery/new-password?invitation=true',
    set: ({ script }) => script.fail('openPasswordLink', 'recovery_link_invalid'),
  },
]);
