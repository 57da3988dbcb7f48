import type { CallAnswer } from '@anteroom/contract';
import { offeredApp } from '../scripted/opening-scene.ts';
import { both, context } from './contexts.ts';
import {
  alert,
  errorNotice,
  faultyField,
  fill,
  enterCredentials,
  press,
  step,
  submit,
  untilLoading,
  waitFor,
} from './moves.ts';
import { statesOf } from './state.ts';
import type { Move, Stage } from './state.ts';

type Asked = Partial<CallAnswer<'authenticate'>>;

/** The page knows the end of the phone number, offers the public computer option, and a code has just been sent. */
function askForCode({ script }: Stage, more: Asked = {}): void {
  script.answer('authenticate', {
    status: 'second_factor_required',
    mfaAdaptivePolicyEnabled: true,
    mfaPhoneNumberSuffix: '42',
    mfaCodeValidityInMinutes: 10,
    codeSent: true,
    nextCodeInSeconds: 30,
    ...more,
  });
}

const then =
  (more: (stage: Stage) => void, asked: Asked = {}) =>
  (stage: Stage): void => {
    askForCode(stage, asked);
    more(stage);
  };

/** The code comes from an authenticator app, at a service that does not list the factors. */
const askForAppAlone = (stage: Stage): void => {
  context({ extensions: ['totp'] })(stage);
  stage.script.answer('authenticate', { status: 'second_factor_required', mfaAdaptivePolicyEnabled: true });
};

/** The service lists what the user can prove, the first to ask for first. */
const askFor =
  (first: Asked, ...names: readonly { name: string; hint?: string }[]) =>
  (stage: Stage): void => {
    context({ extensions: ['totp', 'passkeys', 'factors'] })(stage);
    stage.script.answer('authenticate', {
      status: 'second_factor_required',
      ...first,
      secondFactors: [...names],
    });
  };

const phone = { name: 'sms', hint: '42' };
const mailbox = { name: 'email', hint: 'd…a@northwind.example' };
const app = { name: 'totp' };
const passkey = { name: 'passkey' };
const recoveryCode = { name: 'recovery-code' };
/** The first code has been sent in a message. */
const sent: Asked = {
  mfaAdaptivePolicyEnabled: true,
  mfaCodeValidityInMinutes: 10,
  codeSent: true,
  nextCodeInSeconds: 30,
};
const askForMessage = askFor({ ...sent, mfaPhoneNumberSuffix: '42' }, phone, passkey, mailbox);
const askForMail = askFor(sent, mailbox, passkey);
const askForApp: (stage: Stage) => void = askFor(
  { mfaAdaptivePolicyEnabled: true },
  app,
  phone,
  passkey,
  mailbox,
  recoveryCode,
);

/** The SMS gateway has rejected the first message, so the page requests another one automatically. */
const notTaken: Asked = { codeSent: false, nextCodeInSeconds: 0 };

const arrive: readonly Move[] = [...enterCredentials, step('second-factor-required')];
const arriveAtApp: readonly Move[] = [...arrive, waitFor('input[name="code-1"]')];
const offerApp = both(askForAppAlone, ({ script }) =>
  script.answer('describeAuthenticatorApp', { enrolment: offeredApp }),
);
const arriveAtOffer: readonly Move[] = [...arrive, waitFor('main code')];
const giveCode: readonly Move[] = [...arrive, { do: 'enter-code', digits: '123456' }, submit];

export const secondFactorStates = statesOf('Second factor', 'second-factor-required', [
  { id: 'second-factor', name: 'second factor', set: (stage) => askForCode(stage), moves: arrive },
  {
    id: 'second-factor-plain',
    name: 'second factor, unknown number and no public computer option',
    set: ({ script }: Stage) => script.answer('authenticate', { status: 'second_factor_required' }),
    moves: arrive,
  },
  {
    id: 'second-factor-empty',
    name: 'second factor, left empty',
    set: (stage) => askForCode(stage),
    moves: [...arrive, submit, faultyField],
  },
  {
    id: 'second-factor-filled',
    name: 'second factor, filled in on a public computer',
    set: (stage) => askForCode(stage),
    moves: [
      ...arrive,
      { do: 'enter-code', digits: '123456' },
      { do: 'click', on: 'input[name="publicComputerSignIn"]' },
    ],
  },
  {
    id: 'second-factor-under-way',
    name: 'second factor, loading',
    set: then(({ script }) => void script.hold('verifyMfaCode')),
    moves: [...giveCode, untilLoading],
  },
  {
    id: 'second-factor-wrong',
    name: 'second factor, a wrong code',
    set: then(({ script }) => script.fail('verifyMfaCode', 'invalid_credentials')),
    moves: [...giveCode, faultyField],
  },
  {
    id: 'second-factor-expired',
    name: 'second factor, expired code, back at the login',
    step: 'credentials',
    set: then(({ script }) => script.fail('verifyMfaCode', 'mfa_token_expired')),
    moves: [...giveCode, errorNotice, step('credentials')],
  },
  {
    id: 'second-factor-limit',
    name: 'second factor, too many attempts, back at the login',
    step: 'credentials',
    set: then(({ script }) => script.fail('verifyMfaCode', 'mfa_max_attempts_exceeded')),
    moves: [...giveCode, errorNotice, step('credentials')],
  },
  {
    id: 'second-factor-phone-number',
    name: 'second factor, explanation of the number’s last digits',
    set: (stage) => askForCode(stage),
    moves: [...arrive, press('phone-number-info')],
  },
  {
    id: 'second-factor-other-sign-in',
    name: 'second factor, countdown after a code for another sign-in',
    set: (stage) => askForCode(stage, { codeSent: false, nextCodeInSeconds: 22 }),
    moves: arrive,
  },
  {
    id: 'second-factor-day-limit',
    name: 'second factor, the codes of a day used up',
    set: askFor({ codeSent: false, nextCodeInSeconds: 78_007 }, phone, passkey, mailbox),
    moves: [...arrive, waitFor('[data-action="other-ways"]')],
  },
  {
    id: 'second-factor-resend-limit',
    name: 'second factor, too many codes requested',
    set: then(
      ({ script }) => script.fail('resendMfaCode', 'rate_limit_reached', { retryAfterSeconds: 90 }),
      notTaken,
    ),
    moves: [...arrive, alert],
  },
  {
    id: 'second-factor-resend-failed',
    name: 'second factor, resending failed',
    set: then(({ script }) => script.fail('resendMfaCode', 'mfa_resend_failed'), notTaken),
    moves: [...arrive, alert, waitFor('[data-action="resend-code"]')],
  },
  {
    id: 'second-factor-ways',
    name: 'second factor, other ways offered',
    set: askForMessage,
    moves: [...arrive, press('other-ways'), waitFor('[data-action="use-email"]')],
  },
  {
    id: 'second-factor-email',
    name: 'second factor, a code by e-mail',
    set: askForMail,
    moves: [...arrive, waitFor('input[name="code-1"]')],
  },
  {
    id: 'second-factor-email-wrong',
    name: 'second factor, a wrong code by e-mail',
    set: both(askForMail, ({ script }) => script.fail('verifyMfaCode', 'invalid_credentials')),
    moves: [
      ...arrive,
      waitFor('input[name="code-1"]'),
      { do: 'enter-code', digits: '123456' },
      submit,
      faultyField,
    ],
  },
  {
    id: 'second-factor-email-instead',
    name: 'second factor, a code by e-mail instead of a text message',
    set: askForMessage,
    moves: [
      ...arrive,
      press('other-ways'),
      press('use-email'),
      waitFor('[data-action="other-ways"]'),
      // The page requests the code by itself.
      { do: 'wait-until-gone', selector: '[data-action="resend-code"]' },
    ],
  },
  {
    id: 'second-factor-passkey',
    name: 'second factor, a passkey',
    set: askFor({}, passkey, phone, recoveryCode),
    moves: [...arrive, waitFor('main button[type="submit"]')],
  },
  {
    id: 'second-factor-passkey-alone',
    name: 'second factor, a passkey and nothing else',
    set: askFor({}, passkey),
    moves: [...arrive, waitFor('main button[type="submit"]')],
  },
  {
    id: 'authenticator-ways',
    name: 'authenticator app, every other way offered',
    set: askForApp,
    moves: [...arriveAtApp, press('other-ways')],
  },
  { id: 'authenticator', name: 'authenticator app', set: askForAppAlone, moves: arriveAtApp },
  {
    id: 'authenticator-wrong',
    name: 'authenticator app, a wrong code',
    set: both(askForAppAlone, ({ script }) => script.fail('verifyMfaCode', 'invalid_credentials')),
    moves: [...arriveAtApp, { do: 'enter-code', digits: '123456' }, submit, faultyField],
  },
  {
    id: 'authenticator-text-message',
    name: 'authenticator app, a text message instead',
    set: askForAppAlone,
    moves: [
      ...arriveAtApp,
      press('other-ways'),
      press('use-text-message'),
      waitFor('[data-action="phone-number-info"]'),
    ],
  },
  {
    id: 'authenticator-recovery-code',
    name: 'authenticator app, a recovery code instead',
    set: askForAppAlone,
    moves: [
      ...arriveAtApp,
      press('other-ways'),
      press('use-recovery-code'),
      waitFor('input[name="recoveryCode"]'),
    ],
  },
  {
    id: 'authenticator-recovery-code-wrong',
    name: 'authenticator app, a wrong recovery code',
    set: both(askForAppAlone, ({ script }) => script.fail('verifyMfaCode', 'invalid_credentials')),
    moves: [
      ...arriveAtApp,
      press('other-ways'),
      press('use-recovery-code'),
      fill('recoveryCode', 'ABCD EFGH IJKL MNOP'),
      submit,
      faultyField,
    ],
  },
  {
    id: 'authenticator-alone',
    name: 'authenticator app, no phone number',
    set: both(askForAppAlone, ({ script }) => script.answer('describeAuthenticatorApp', {})),
    moves: arriveAtApp,
  },
  {
    id: 'authenticator-set-up',
    name: 'authenticator app, set up during the sign-in',
    set: offerApp,
    moves: arriveAtOffer,
  },
  {
    id: 'authenticator-set-up-codes',
    name: 'authenticator app, set up during the sign-in, recovery codes',
    set: offerApp,
    moves: [...arriveAtOffer, submit, waitFor('[data-recovery-codes]')],
  },
]);
