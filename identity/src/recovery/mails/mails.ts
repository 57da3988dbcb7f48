import type { Locale } from '@anteroom/contract';
import { wholeName } from '@anteroom/contract/person-name';
import { asLine, asMoment, asName, layOutMail } from '../../messages/mail-layout.ts';
import type { MailBlock, MailContent, MailFrame } from '../../messages/mail-layout.ts';
import { textsIn } from '../../texts/catalogue.ts';

type Receiver = { firstName: string; lastName: string; userName: string };
/** `link` opens the sign-in of the site. */
export type NamedSite = { name: string; displayName: string; link?: string | undefined };
type PasswordLink = { link: string; minutes: number };
/** `timeZone`: the IANA time zone for the time. */
type Invitation = { link: string; until: Date; timeZone: string };

/** The link for a new password. */
export function writePasswordLink(
  receiver: Receiver,
  { link, minutes }: PasswordLink,
  frame: MailFrame,
): MailContent {
  const mailTexts = textsIn(frame.language).recoveryMails;
  const facts = { minutes: mailTexts.minutes?.(minutes) ?? String(minutes) };
  return writeLink(receiver, link, facts, frame, mailTexts.passwordLink);
}

/** The link for the first password of a user whose account an operator has set up. */
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
  mailTexts: { subject: string; request: string; button: string; validity: string; notYou?: string },
): MailContent {
  const facts = { ...factsOf(receiver, frame.language), ...validity };
  return layOutMail(
    mailTexts.subject,
    [
      { text: fill(textsIn(frame.language).recoveryMails.greeting, facts) },
      { text: fill(mailTexts.request, facts) },
      { label: mailTexts.button, link },
      { text: fill(mailTexts.validity, facts) },
      ...(mailTexts.notYou === undefined ? [] : [{ text: mailTexts.notYou }]),
    ],
    frame,
  );
}

/** For a user whose organisation signs them in: there is no password to change. */
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

/** The user's sites, with the name to enter for each. */
export function writeSiteNames(
  receiver: Receiver,
  { sites, signInUrl }: { sites: readonly NamedSite[]; signInUrl: string | undefined },
  frame: MailFrame,
): MailContent {
  const { greeting, siteNames: mailTexts } = textsIn(frame.language).recoveryMails;
  // A name that the user must type contains no invisible characters.
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
