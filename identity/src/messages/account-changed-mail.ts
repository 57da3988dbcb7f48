import { asMoment, asName, layOutMail } from './mail-layout.ts';
import type { MailContent, MailFrame } from './mail-layout.ts';
import { textsIn } from './text-catalogue.ts';
import type { Texts } from './texts.ts';

export type AccountChange = keyof Texts['accountChangedMail']['changes'];

type Facts = {
  userName: string;
  at: Date;
  /** IANA name of the zone that the time is given in. */
  timeZone: string;
  /** As people call it; undefined where it is not known. */
  browser: string | undefined;
  /** Where a user who changed nothing acts. */
  refusalLink: string;
  /** Recovery codes that are left. */
  left?: number;
};

/** The notice after a change, so that a user whose account another person has changed learns of it, and can act. */
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
    [words.browser, browser ?? words.unknownBrowser],
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
