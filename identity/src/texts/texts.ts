/** Texts of the password rules by their names in the wire contract, with the numbers they contain. */
export type PasswordRuleTexts = {
  minimumLength: (count: number) => string;
  maximumLength: (count: number) => string;
  notCommon: string;
  notBreached: string;
  notContainsUserName: string;
  notContainsSiteName: string;
  notReused: string;
  minimumUppercase: (count: number) => string;
  minimumLowercase: (count: number) => string;
  minimumDigits: (count: number) => string;
  minimumSpecial: (count: number) => string;
  atLeast: (count: number) => string;
};

type ChangeTexts = {
  subject: string;
  changed: string | ((facts: { left: number }) => string);
};

/**
 * The service's own texts for users, one file per language. Every text consists of complete sentences, which are never
 * assembled from parts.
 */
export type Texts = {
  /** The text message with the code. Names and code are already isolated for the text's direction. */
  secondFactorSms: (facts: {
    product: string;
    site: string | undefined;
    code: string;
    minutes: number;
  }) => string;
  /** The subject of the mail with a one-time code. */
  codeMailSubject: string;
  /** The text message with the code that confirms a new phone number. */
  newNumberSms: (facts: { product: string; code: string; minutes: number }) => string;
  /** The text message to the previous phone number after the user has changed or removed it. */
  numberGoneSms: (facts: { product: string }) => string;
  accountChangedMail: {
    /** The kinds of change: the subject, and the first paragraph. */
    changes: {
      password: ChangeTexts;
      appAdded: ChangeTexts;
      appRemoved: ChangeTexts;
      passkeyAdded: ChangeTexts;
      passkeyRemoved: ChangeTexts;
      /** An operator removed all passkeys. */
      passkeysRemoved: ChangeTexts;
      /** The user removed the app. */
      ownAppRemoved: ChangeTexts;
      recoveryCodeUsed: ChangeTexts;
      /** A recovery code was used, and few are left. */
      recoveryCodesFew: ChangeTexts;
      recoveryCodesMade: ChangeTexts;
      phoneNumberAdded: ChangeTexts;
      phoneNumberChanged: ChangeTexts;
      phoneNumberRemoved: ChangeTexts;
      /** An operator did it. */
      officeSetNumber: ChangeTexts;
      officeRemovedNumber: ChangeTexts;
      lostPhone: ChangeTexts;
    };
    /** Labels of the details. */
    account: string;
    time: string;
    browser: string;
    wasYou: string;
    wasNotYou: string;
    /** The button for a user who did not make the change. */
    notMe: string;
  };
  /** The footer of every e-mail. */
  mailFrame: {
    organisation: (facts: { name: string }) => string;
    support: (facts: { url: string }) => string;
  };
  /** Why a new password is rejected, one sentence for each rule. */
  passwordRules: PasswordRuleTexts;
  /** The mails of the recovery, and invitations, with the placeholders `{{name}}`, `{{userName}}`, `{{minutes}}` and `{{until}}`. */
  recoveryMails: {
    greeting: string;
    /** The number with its noun, for a language in which the noun changes with the number. */
    minutes?: (count: number) => string;
    passwordLink: { subject: string; request: string; validity: string; notYou: string; button: string };
    /** For a new user. */
    invitation: { subject: string; request: string; validity: string; notYou: string; button: string };
    /** For a user without a password in this service. */
    signsInElsewhere: { subject: string; request: string; help: string };
    siteNames: { subject: string; list: string; none: string; signIn: string; notYou: string };
  };
  /** Mails about boards, to people who know the service. */
  boardMails: {
    /** The last paragraph of each: what a reader does who did not want the change. */
    notExpected: string;
    /** To a user who has become a member of another site. */
    newBoard: {
      subject: string;
      text: (facts: { site: string; userName: string }) => string;
      button: string;
    };
    /** To the user, and to the other administrators of the site. */
    administratorAdded: { subject: string; text: (facts: { person: string; site: string }) => string };
    administratorRemoved: { subject: string; text: (facts: { person: string; site: string }) => string };
    /** To the previous address, after an operator has changed it. */
    addressChanged: { subject: string; text: (facts: { userName: string }) => string };
  };
  /** The page for a browser whose cookies are larger than the service accepts. */
  tooMuchDataPage: { title: string; text: string };
  /** The page that takes the visitor to another server. It appears briefly; without JavaScript it stays until the visitor continues. */
  forwardingPage: { title: string; toSignIn: string; toApplication: string; button: string };
};
