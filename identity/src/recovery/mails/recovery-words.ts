/** The sentences of the messages in one language; `{{name}}`, `{{userName}}`, `{{minutes}}` and `{{until}}` stand for what is filled in. */
export type RecoveryWords = {
  greeting: string;
  passwordLink: { subject: string; request: string; validity: string; notYou: string; button: string };
  /** For a new user. */
  invitation: { subject: string; request: string; validity: string; button: string };
  /** For somebody who has no password here. */
  signsInElsewhere: { subject: string; request: string; help: string };
  siteNames: { subject: string; list: string; none: string; signIn: string; notYou: string };
};
