import type { Texts } from './texts.ts';

export const en: Texts = {
  secondFactorSms: ({ product, site, code, minutes }) =>
    site === undefined
      ? `${product}: ${code} is your sign-in code. It is valid for ${minutes} minutes. Never share it.`
      : `${product}: ${code} is your sign-in code for ${site}. It is valid for ${minutes} minutes. Never share it.`,
  codeMailSubject: 'Your sign-in code',
  newNumberSms: ({ product, code, minutes }) =>
    `${product}: ${code} is the code to confirm this phone number for your account. It is valid for ${minutes} minutes. Never share it.`,
  numberGoneSms: ({ product }) =>
    `${product}: This number no longer receives codes for your account. If you did not change this, contact your board office.`,
  accountChangedMail: {
    changes: {
      password: {
        subject: 'Your password was changed',
        changed: 'The password for your account was changed. You have been signed out everywhere else.',
      },
      appAdded: {
        subject: 'An authenticator app was set up',
        changed:
          'An authenticator app was set up for your account. From now on you will need its code to sign in.',
      },
      appRemoved: {
        subject: 'Your authenticator app was removed',
        changed:
          'Your board office or support removed the authenticator app from your account. You have been signed out everywhere.',
      },
      passkeyAdded: {
        subject: 'A passkey was added',
        changed:
          'A passkey was added to your account. You can now sign in with it, without a password or a code. If you sign in with your password, we may ask for this passkey.',
      },
      passkeyRemoved: {
        subject: 'Your passkey was removed',
        changed:
          'A passkey was removed from your account. It can no longer be used to sign in, and you have been signed out everywhere else.',
      },
      passkeysRemoved: {
        subject: 'Your passkeys were removed',
        changed:
          'Your board office or support removed all passkeys from your account. You have been signed out everywhere.',
      },
      ownAppRemoved: {
        subject: 'Your authenticator app was removed',
        changed:
          'The authenticator app was removed from your account, with its recovery codes. You have been signed out everywhere else.',
      },
      recoveryCodeUsed: {
        subject: 'A recovery code was used',
        changed: ({ left }) =>
          `A recovery code was used to sign in to your account. Recovery codes left: ${left}.`,
      },
      recoveryCodesFew: {
        subject: 'You have few recovery codes left',
        changed: ({ left }) =>
          `A recovery code was used to sign in to your account. Recovery codes left: ${left}. Create new ones on your account page.`,
      },
      recoveryCodesMade: {
        subject: 'New recovery codes were created',
        changed: 'New recovery codes were created for your account. The old ones no longer work.',
      },
      phoneNumberAdded: {
        subject: 'A phone number was added',
        changed:
          'A phone number for sign-in codes was added to your account. You have been signed out everywhere else.',
      },
      phoneNumberChanged: {
        subject: 'Your phone number was changed',
        changed:
          'The phone number for your sign-in codes was changed. You have been signed out everywhere else.',
      },
      phoneNumberRemoved: {
        subject: 'Your phone number was removed',
        changed:
          'The phone number for your sign-in codes was removed. You have been signed out everywhere else.',
      },
      officeSetNumber: {
        subject: 'Your phone number was changed',
        changed:
          'Your board office or support changed the phone number for your sign-in codes. You have been signed out everywhere.',
      },
      officeRemovedNumber: {
        subject: 'Your phone number was removed',
        changed:
          'Your board office or support removed the phone number for your sign-in codes. You have been signed out everywhere.',
      },
      lostPhone: {
        subject: 'Your lost phone no longer signs you in',
        changed:
          'Your board office or support removed your lost phone from your account: its number, the authenticator app, passkeys, and the devices that needed no code. You have been signed out everywhere.',
      },
    },
    account: 'Account',
    time: 'Time',
    browser: 'Browser',
    wasYou: 'If you made or expected this change, you do not need to do anything.',
    wasNotYou:
      'If you did not, act now: we will sign everyone out of your account and help you choose a new password.',
    notMe: 'This wasn’t me',
  },
  mailFrame: {
    organisation: ({ name }) => `Your account belongs to: ${name}`,
    support: ({ url }) => `Need help? ${url}`,
  },
  passwordRules: {
    minimumLength: (count) => `This password is too short. Use at least ${count} characters.`,
    maximumLength: (count) => `This password is too long. Use at most ${count} characters.`,
    notCommon: 'This password is easy to guess. Choose another one.',
    notBreached: 'This password has appeared in a known data breach. Choose another one.',
    notContainsUserName: 'This password is based on your user name. Choose another one.',
    notContainsSiteName: 'This password is based on your organisation’s name. Choose another one.',
    notReused: 'You have used this password before. Choose another one.',
    minimumUppercase: (count) =>
      count === 1 ? 'Add an uppercase letter.' : `Use at least ${count} uppercase letters.`,
    minimumLowercase: (count) =>
      count === 1 ? 'Add a lowercase letter.' : `Use at least ${count} lowercase letters.`,
    minimumDigits: (count) => (count === 1 ? 'Add a digit.' : `Use at least ${count} digits.`),
    minimumSpecial: (count) =>
      count === 1 ? 'Add a special character.' : `Use at least ${count} special characters.`,
    atLeast: (count) =>
      `Your password must meet at least ${count} of the rules about letters, digits and special characters.`,
  },
  recoveryMails: {
    greeting: 'Hello {{name}},',
    passwordLink: {
      subject: 'Your link for a new password',
      request:
        'Somebody, probably you, requested a new password for {{userName}}. Open this link to choose one:',
      validity: 'The link works once, and for {{minutes}} minutes. Only the latest link works.',
      notYou: 'If it was not you, you do not need to do anything: nothing changes until this link is used.',
      button: 'Choose a new password',
    },
    invitation: {
      subject: 'Set up your access to your boards',
      request:
        'An account with the user name {{userName}} has been set up for you. Choose a password to begin:',
      validity: 'The link works once, until {{until}}. After that, your board office can send you a new one.',
      notYou: 'If you did not expect this invitation, you do not need to do anything.',
      button: 'Choose a password',
    },
    signsInElsewhere: {
      subject: 'How you sign in',
      request:
        'Somebody, probably you, requested a new password for {{userName}}. You sign in through your organisation, so you have no password here.',
      help: 'If you cannot sign in, ask your IT department.',
    },
    siteNames: {
      subject: 'Your site names',
      list: 'These are the boards you have access to, each with the site name to enter when you sign in:',
      none: 'You do not have access to any board at the moment. Contact your board office.',
      signIn: 'Sign in',
      notYou: 'If you did not request this, you do not need to do anything.',
    },
  },
  boardMails: {
    notExpected: 'If you did not expect this, contact your board office or support.',
    newBoard: {
      subject: 'You now have access to another board',
      text: ({ site, userName }) => `You now have access to ${site}. Sign in with the user name ${userName}.`,
      button: 'Sign in',
    },
    administratorAdded: {
      subject: 'A new member of the board office',
      text: ({ person, site }) => `${person} can now manage the people of ${site}.`,
    },
    administratorRemoved: {
      subject: 'A member has left the board office',
      text: ({ person, site }) => `${person} no longer manages the people of ${site}.`,
    },
    addressChanged: {
      subject: 'Your e-mail address was changed',
      text: ({ userName }) =>
        `Your board office or support changed the e-mail address of the account ${userName}. Its messages no longer come to this address.`,
    },
  },
  tooMuchDataPage: {
    title: 'This page cannot be opened',
    text: 'Your browser sends more data than we can accept. Delete the cookies of this page in your browser’s settings, then try again.',
  },
  forwardingPage: {
    title: 'One moment',
    toSignIn:
      'We are taking you to the sign-in service of your organisation. If this page stays open, select “Continue”.',
    toApplication: 'We are taking you back to your board portal. If this page stays open, select “Continue”.',
    button: 'Continue',
  },
};
