import { asMoment, asName, layOutMail } from './mail-layout.ts';
import type { MailContent, MailFrame } from './mail-layout.ts';
import { textsIn } from '../texts/catalogue.ts';
import type { Texts } from '../texts/texts.ts';

export type AccountChange = keyof Texts['accountChangedMail']['changes'];

type Facts = {
  userName: string;
  at: Date;
  /** The IANA time zone of the time in the message. */
  timeZone: string;
  /** A common name of the browser; undefined if unknown, or if an operator made the change. */
  browser: string | undefined;
  /** The link for a user who did not make the change. */
  refusalLink: string;
  /** The number of recovery codes left. */
  left?: number;
};

/** The e-mail after an account change, so that a user whose account was changed by an attacker learns of it and can react. */
export function accountChangedMail(
  change: AccountChange,
  { userName, at, timeZone, browser, refusalLink, left = 0 }: Facts,
  frame: MailFrame,
): MailContent {
  const words = textsIn(frame.language).accountChangedMail;
  const { subject, changed } = words.changes[change];
  const rows: [string, string][] = [
    [words.account, asName(userName, frame.language)],
    [words.time, asMoment(at, frame.language, timeZone)],
    ...(browser === undefined ? [] : [[words.browser, browser] as [string, string]]),
  ];
  return layOutMail(
    subject,
    [
      { text: typeof changed === 'string' ? changed : changed({ left }) },
      { rows },
      { text: words.wasYou },
      { text: words.wasNotYou },
      { label: words.notMe, link: refusalLink },
    ],
    frame,
  );
}
