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

/**
 * What the service itself says to people, one file for each language. Every text is a whole one: sentences are never put
 * together from parts. Nothing that somebody else wrote (a name, a site) stands in a text message (attacks and faults, S07).
 */
export type Texts = {
  /** The text message with the code. `code` comes ready to be shown in this direction. */
  secondFactorSms: (facts: { code: string; minutes: number }) => string;
  passwordChangedMail: {
    subject: string;
    /** `at`: date and time in UTC, as the language writes them. */
    text: (facts: { at: string }) => string;
  };
  /** Why a new password is not taken, one sentence for each rule. */
  passwordRules: PasswordRuleTexts;
};
