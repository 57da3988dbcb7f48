import type { Locale } from '@anteroom/contract';
import { wholeName } from '@anteroom/contract/person-name';
import { asLine, asMoment, asName, layOutMail } from '../../messages/mail-layout.ts';
import type { MailBlock, MailContent, MailFrame } from '../../messages/mail-layout.ts';
import { textsIn } from '../../texts/catalogue.ts';

type Receiver = { firstName: string; lastName: string; userName: string };
/** `link` starts the sign-in at the site. */
export type NamedSite = { name: string; displayName: string; link?: string | undefined };
type PasswordLink = { link: string; minutes: number };
/** `until`: the expiry, which the mail shows in `timeZone` (IANA). */
type Invitation = { link: string; until: Date; timeZone: string };

/** Writes the mail with the link for a new password. */
export function writePasswordLink(
  receiver: Receiver,
  { link, minutes }: PasswordLink,
  frame: MailFrame,
): MailContent {
  const mailTexts = textsIn(frame.language).recoveryMails;
  const facts = { minutes: mailTexts.minutes?.(minutes) ?? String(minutes) };
  return writeLink(receiver, link, facts, frame, mailTexts.passwordLink);
}

/** Writes the mail with the link for the first password of a user whom an operator has created. */
export function writeInvitation(
  receiver: Receiver,
  { link, until, timeZone }: Invitation,
  frame: MailFrame,
): MailContent {
  const facts = { until: asMoment(until, frame.language, timeZone) };
  return writeLink(receiver, link, facts, frame, textsIn(frame.language).recoveryMails.invitation);
}

function writeLink(
  receiver: Receiver,
  link: string,
  validity: Readonly<Record<string, string>>,
  frame: MailFrame,
  mailTexts: { subject: string; request: string; button: string; validity: string; notYou: string },
): MailContent {
  const facts = { ...factsOf(receiver, frame.language), ...validity };
  return layOutMail(
    mailTexts.subject,
    [
      { text: fill(textsIn(frame.language).recoveryMails.greeting, facts) },
      { text: fill(mailTexts.request, facts) },
      { label: mailTexts.button, link },
      { text: fill(mailTexts.validity, facts) },
      { text: mailTexts.notYou },
    ],
    frame,
  );
}

/** Writes the mail to a user who signs in through an organisation and so has no password to change. */
export function writeSignsInElsewhere(receiver: Receiver, frame: MailFrame): MailContent {
  const { greeting, signsInElsewhere: mailTexts } = textsIn(frame.language).recoveryMails;
  const facts = factsOf(receiver, frame.language);
  const lines = [fill(greeting, facts), fill(mailTexts.request, facts), mailTexts.help];
  return layOutMail(
    mailTexts.subject,
    lines.map((text) => ({ text })),
    frame,
  );
}

/** Writes the mail with the user's sites and the name to enter for each. */
export function writeSiteNames(
  receiver: Receiver,
  { sites, signInUrl }: { sites: readonly NamedSite[]; signInUrl: string | undefined },
  frame: MailFrame,
): MailContent {
  const { greeting, siteNames: mailTexts } = textsIn(frame.language).recoveryMails;
  // Site names are inserted without invisible characters, because the user must type them.
  const list: MailBlock[] = [
    { text: mailTexts.list },
    ...sites.map(({ name, displayName, link }) =>
      link === undefined
        ? { rows: [[asName(displayName, frame.language), asLine(name)] as [string, string]] }
        : { label: `${asName(displayName, frame.language)} (${asLine(name)})`, link },
    ),
    ...(signInUrl === undefined ? [] : [{ label: mailTexts.signIn, link: signInUrl }]),
  ];
  return layOutMail(
    mailTexts.subject,
    [
      { text: fill(greeting, factsOf(receiver, frame.language)) },
      ...(sites.length === 0 ? [{ text: mailTexts.none }] : list),
      { text: mailTexts.notYou },
    ],
    frame,
  );
}

function factsOf({ firstName, lastName, userName }: Receiver, language: Locale): Record<string, string> {
  // A user without a recorded name is addressed by the user name.
  const name = wholeName(firstName, lastName) || userName;
  return { name: asName(name, language), userName: asName(userName, language) };
}

/** Fills the placeholders of a sentence. Inserted values are not searched for placeholders. */
function fill(sentence: string, facts: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => facts[name] ?? placeholder);
}
