import { passwordRuleText } from '@anteroom/identity/texts/catalogue';
import { signedIn } from './contexts.ts';
import { faultyField, fill, enterCredentials, step, submit, untilLoading } from './moves.ts';
import { statesOf } from './state.ts';
import type { Move, Stage } from './state.ts';

/** A required password change, with nested rules. */
export function requireChange({ script }: Stage): void {
  script.answer('authenticate', { status: 'password_reset_required' });
  script.answer('passwordPolicy', {
    policyLines: [
      { line: 'minimumLength' },
      { line: 'notBreached' },
      { line: 'atLeast', subPolicies: [{ line: 'minimumDigits' }, { line: 'minimumSpecial' }] },
    ],
    minimumLength: 15,
    minimumDigits: 1,
    minimumSpecial: 1,
    atLeast: 1,
  });
}

const then =
  (more: (stage: Stage) => void) =>
  (stage: Stage): void => {
    requireChange(stage);
    more(stage);
  };

const arrive: readonly Move[] = [...enterCredentials, step('password-reset-required')];
const change: readonly Move[] = [
  fill('currentPassword', 'a password'),
  fill('newPassword', 'a longer password'),
  fill('newPasswordConfirmation', 'a longer password'),
  submit,
];

/** With the reason, in the language of the page. */
const refuse = ({ script }: Stage): void =>
  script.fail('passwordReset', 'invalid_new_password', {
    policyLine: 'notBreached',
    description: (language) => passwordRuleText(language, 'notBreached', 0),
  });

const choosesChange = signedIn({ promptMethod: 'change_password' });

export const passwordChangeStates = statesOf('Password change', 'password-reset-required', [
  { id: 'password-change', name: 'a required change of password', set: requireChange, moves: arrive },
  {
    id: 'password-change-without-rules',
    name: 'a required change of password, without rules',
    set: then(({ script }) => script.answer('passwordPolicy', { policyLines: [] })),
    moves: arrive,
  },
  {
    id: 'password-change-empty',
    name: 'a required change of password, left empty',
    set: requireChange,
    moves: [...arrive, submit, faultyField],
  },
  {
    id: 'password-change-under-way',
    name: 'a required change of password, loading',
    set: then(({ script }) => void script.hold('passwordReset')),
    moves: [...arrive, ...change, untilLoading],
  },
  {
    id: 'password-change-wrong',
    name: 'a required change of password, wrong current password',
    set: then(({ script }) => script.fail('passwordReset', 'invalid_credentials')),
    moves: [...arrive, ...change, faultyField],
  },
  {
    id: 'password-change-refused',
    name: 'a required change of password, rejected',
    set: then(refuse),
    moves: [...arrive, ...change, faultyField],
  },
  {
    id: 'password-change-unlike',
    name: 'a required change of password, mismatch',
    set: then(({ script }) => script.fail('passwordReset', 'passwords_do_not_match')),
    moves: [...arrive, ...change, faultyField],
  },
  {
    id: 'password-change-chosen',
    name: 'a voluntary change of password',
    step: 'password-reset-voluntary',
    set: choosesChange,
  },
  {
    id: 'password-change-chosen-refused',
    name: 'a voluntary change of password, rejected',
    step: 'password-reset-voluntary',
    set: (stage) => {
      choosesChange(stage);
      refuse(stage);
    },
    moves: [...change, faultyField],
  },
]);
