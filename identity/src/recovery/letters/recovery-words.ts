/** The sentences of the messages in one language; `{{name}}`, `{{userName}}` and `{{minutes}}` stand for what is filled in. */
export type RecoveryWords = {
  greeting: string;
  passwordLink: { subject: string; request: string; validity: string; notYou: string; button: string };
  /** For a new user, with the validity of the link above. */
  invitation: { subject: string; request: string; button: string };
  /** For somebody who has no password here. */
  signsInElsewhere: { subject: string; request: string; help: string };
  siteNames: { subject: string; list: string; none: string; signIn: string; notYou: string };
};
