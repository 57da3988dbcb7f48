import {
  alert,
  errorNotice,
  faultyField,
  giveCredentials,
  press,
  step,
  submit,
  underWay,
  waitFor,
} from './moves.ts';
import { statesOf } from './state.ts';
import type { Move, Stage } from './state.ts';

/** The phone number's end is known, and a public computer may be named. */
export function askForCode({ script }: Stage): void {
  script.answer('authenticate', {
    status: 'second_factor_required',
    mfaAdaptivePolicyEnabled: true,
    mfaPhoneNumberSuffix: '42',
    mfaCodeValidityInMinutes: 10,
  });
}

const then =
  (more: (stage: Stage) => void) =>
  (stage: Stage): void => {
    askForCode(stage);
    more(stage);
  };

const arrive: readonly Move[] = [...giveCredentials, step('second-factor-required')];
const giveCode: readonly Move[] = [...arrive, { do: 'enter-code', digits: '123456' }, submit];
const sendAgain: readonly Move[] = [...arrive, press('resend-code')];

export const secondFactorStates = statesOf('Second factor', 'second-factor-required', [
  { id: 'second-factor', name: 'second factor', set: askForCode, moves: arrive },
  {
    id: 'second-factor-plain',
    name: 'second factor, the number unknown and no public computer',
    set: ({ script }: Stage) => script.answer('authenticate', { status: 'second_factor_required' }),
    moves: arrive,
  },
  {
    id: 'second-factor-empty',
    name: 'second factor, left empty',
    set: askForCode,
    moves: [...arrive, submit, faultyField],
  },
  {
    id: 'second-factor-filled',
    name: 'second factor, filled in on a public computer',
    set: askForCode,
    moves: [
      ...arrive,
      { do: 'enter-code', digits: '123456' },
      { do: 'click', on: 'input[name="publicComputerSignIn"]' },
    ],
  },
  {
    id: 'second-factor-under-way',
    name: 'second factor, under way',
    set: then(({ script }) => void script.hold('verifyMfaCode')),
    moves: [...giveCode, underWay],
  },
  {
    id: 'second-factor-wrong',
    name: 'second factor, a wrong code',
    set: then(({ script }) => script.fail('verifyMfaCode', 'invalid_credentials')),
    moves: [...giveCode, faultyField],
  },
  {
    id: 'second-factor-expired',
    name: 'second factor, the code expired and the login begun again',
    step: 'credentials',
    set: then(({ script }) => script.fail('verifyMfaCode', 'mfa_token_expired')),
    moves: [...giveCode, errorNotice, step('credentials')],
  },
  {
    id: 'second-factor-limit',
    name: 'second factor, tried too often and the login begun again',
    step: 'credentials',
    set: then(({ script }) => script.fail('verifyMfaCode', 'mfa_max_attempts_exceeded')),
    moves: [...giveCode, errorNotice, step('credentials')],
  },
  {
    id: 'second-factor-phone-number',
    name: 'second factor, what the end of the number is for',
    set: askForCode,
    moves: [...arrive, press('phone-number-info')],
  },
  {
    id: 'second-factor-sent-again',
    name: 'second factor, sent again, the seconds counted',
    set: askForCode,
    moves: [...sendAgain, { do: 'wait-until-gone', selector: '[data-action="resend-code"]' }],
  },
  {
    id: 'second-factor-resend-limit',
    name: 'second factor, sent again too often',
    set: then(({ script }) => script.fail('resendMfaCode', 'rate_limit_reached', { retryAfterSeconds: 90 })),
    moves: [...sendAgain, alert],
  },
  {
    id: 'second-factor-resend-failed',
    name: 'second factor, not sent again',
    set: then(({ script }) => script.fail('resendMfaCode', 'mfa_resend_failed')),
    moves: [...sendAgain, alert, waitFor('[data-action="resend-code"]')],
  },
]);
