import type { Texts } from '../texts.ts';

export const en: Texts = {
  // with the last line at most 160 characters of the GSM alphabet: one message
  secondFactorSms: ({ code, minutes }) =>
    `${code} is your sign-in code. It is valid for ${minutes} minutes. Never share it.`,
  passwordChangedMail: {
    subject: 'Your password was changed',
    text: ({ at }) =>
      [
        `The password that you sign in to your boards with was changed on ${at} (UTC).`,
        'Everywhere else you have been signed out.',
        '',
        'If it was you, there is nothing to do.',
        'If it was not you, tell your board office at once.',
      ].join('\n'),
  },
  passwordRules: {
    minimumLength: (count) => `Choose a password with at least ${count} characters.`,
    maximumLength: (count) => `Choose a password with at most ${count} characters.`,
    notCommon: 'This password is one of the first that somebody would guess. Choose another.',
    notBreached: 'This password has appeared in a known data breach. Choose another.',
    notContainsUserName: 'Choose a password that does not build on your user name.',
    notContainsSiteName: 'Choose a password that does not build on the name of the site.',
    notReused: 'You have used this password before. Choose another.',
    minimumUppercase: (count) =>
      count === 1 ? 'Add a capital letter.' : `Use at least ${count} capital letters.`,
    minimumLowercase: (count) =>
      count === 1 ? 'Add a small letter.' : `Use at least ${count} small letters.`,
    minimumDigits: (count) => (count === 1 ? 'Add a digit.' : `Use at least ${count} digits.`),
    minimumSpecial: (count) =>
      count === 1 ? 'Add a special character.' : `Use at least ${count} special characters.`,
    atLeast: (count) =>
      `Your password must meet at least ${count} of the rules about letters, digits and special characters.`,
  },
};
