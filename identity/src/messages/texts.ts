/** Rules of a password by the names that the wire contract gives their lines, with the numbers they use. */
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
 * What the service itself says to people, one file for each language. Every text is a whole one: sentences are never put
 * together from parts.
 */
export type Texts = {
  /** The text message with the code. The names and the code come ready to be shown in this direction. */
  secondFactorSms: (facts: {
    product: string;
    site: string | undefined;
    code: string;
    minutes: number;
  }) => string;
  accountChangedMail: {
    /** What happened, by its name: in the subject, and as the first paragraph. */
    changes: {
      password: ChangeTexts;
      appAdded: ChangeTexts;
      appRemoved: ChangeTexts;
      passkeyAdded: ChangeTexts;
      passkeyRemoved: ChangeTexts;
      /** Removed by the user. */
      ownAppRemoved: ChangeTexts;
      recoveryCodeUsed: ChangeTexts;
      /** The same when few are left. */
      recoveryCodesFew: ChangeTexts;
      recoveryCodesMade: ChangeTexts;
    };
    /** Names of the facts. */
    account: string;
    time: string;
    browser: string;
    unknownBrowser: string;
    wasYou: string;
    wasNotYou: string;
    /** The button of a user who did not make the change. */
    notMe: string;
  };
  /** What stands below every mail. */
  mailFrame: {
    organisation: (facts: { name: string }) => string;
    support: (facts: { url: string }) => string;
  };
  /** Why a new password is not taken, one sentence for each rule. */
  passwordRules: PasswordRuleTexts;
};
