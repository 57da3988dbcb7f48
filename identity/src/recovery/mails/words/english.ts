import type { RecoveryWords } from '../recovery-words.ts';

export const english: RecoveryWords = {
  greeting: 'Hello {{name}},',
  passwordLink: {
    subject: 'Your link for a new password',
    request:
      'Somebody, probably you, requested a new password for {{userName}}. Open this link to choose one:',
    validity: 'The link works once, and for {{minutes}} minutes. Only the latest link works.',
    notYou: 'If it was not you, you need not do anything: your password stays as it is.',
    button: 'Choose a new password',
  },
  invitation: {
    subject: 'Your access to your boards',
    request:
      'An account with the user name {{userName}} has been set up for you. Choose a password to begin:',
    validity: 'The link works once, until {{until}}. After that, your board office can send you a new one.',
    button: 'Choose a password',
  },
  signsInElsewhere: {
    subject: 'Your sign-in',
    request:
      'Somebody, probably you, requested a new password for {{userName}}. You sign in through your organisation, so you have no password here.',
    help: 'If you cannot sign in, ask your IT department.',
  },
  siteNames: {
    subject: 'Your sites',
    list: 'These are the sites you have access to, each with the name to enter when you sign in:',
    none: 'You do not have access to any site at the moment. Ask your board office.',
    signIn: 'Sign in',
    notYou: 'If you did not request this, you need not do anything.',
  },
};
