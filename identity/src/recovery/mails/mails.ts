import type { Locale } from '@anteroom/contract';
import { wholeName } from '@anteroom/contract/person-name';
import { asLine, asMoment, asName, layOutMail } from '../../messages/mail-layout.ts';
import type { MailBlock, MailContent, MailFrame } from '../../messages/mail-layout.ts';
import { arabic } from './words/arabic.ts';
import { chinese } from './words/chinese.ts';
import { dutch } from './words/dutch.ts';
import { english } from './words/english.ts';
import { french } from './words/french.ts';
import { german } from './words/german.ts';
import { hebrew } from './words/hebrew.ts';
import { italian } from './words/italian.ts';
import { japanese } from './words/japanese.ts';
import { portuguese } from './words/portuguese.ts';
import { spanish } from './words/spanish.ts';
import type { RecoveryWords } from './recovery-words.ts';

const words: Readonly<Record<Locale, RecoveryWords>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
  pt: portuguese,
  zh: chinese,
  ja: japanese,
  ar: arabic,
  he: hebrew,
};

type Receiver = { firstName: string; lastName: string; userName: string };
/** `link` opens the site's sign-in. */
export type NamedSite = { name: string; displayName: string; link?: string | undefined };
type PasswordLink = { link: string; minutes: number };
/** `timeZone`: IANA name of the zone that the time is given in. */
type Invitation = { link: string; until: Date; timeZone: string };

/** The link for a new password. */
export function writePasswordLink(
  receiver: Receiver,
  { link, minutes }: PasswordLink,
  frame: MailFrame,
): MailContent {
  return writeLink(receiver, link, { minutes: String(minutes) }, frame, words[frame.language].passwordLink);
}

/** The link for the first password of a user whose account an operator has set up. */
export function writeInvitation(
  receiver: Receiver,
  { link, until, timeZone }: Invitation,
  frame: MailFrame,
): MailContent {
  const facts = { until: asMoment(until, frame.language, timeZone) };
  return writeLink(receiver, link, facts, frame, words[frame.language].invitation);
}

function writeLink(
  receiver: Receiver,
  link: string,
  validity: Readonly<Record<string, string>>,
  frame: MailFrame,
  said: { subject: string; request: string; button: string; validity: string; notYou?: string },
): MailContent {
  const facts = { ...factsOf(receiver, frame.language), ...validity };
  return layOutMail(
    said.subject,
    [
      { text: fill(words[frame.language].greeting, facts) },
      { text: fill(said.request, facts) },
      { label: said.button, link },
      { text: fill(said.validity, facts) },
      ...(said.notYou === undefined ? [] : [{ text: said.notYou }]),
    ],
    frame,
  );
}

/** For a user whose organisation signs them in: there is no password to change. */
export function writeSignsInElsewhere(receiver: Receiver, frame: MailFrame): MailContent {
  const { greeting, signsInElsewhere: said } = words[frame.language];
  const facts = factsOf(receiver, frame.language);
  const texts = [fill(greeting, facts), fill(said.request, facts), said.help];
  return layOutMail(
    said.subject,
    texts.map((text) => ({ text })),
    frame,
  );
}

/** A user's sites, with the name to enter for each. */
export function writeSiteNames(
  receiver: Receiver,
  { sites, signInUrl }: { sites: readonly NamedSite[]; signInUrl: string | undefined },
  frame: MailFrame,
): MailContent {
  const { greeting, siteNames: said } = words[frame.language];
  // a name to be typed carries no invisible character
  const list: MailBlock[] = [
    { text: said.list },
    ...sites.map(({ name, displayName, link }) =>
      link === undefined
        ? { rows: [[asName(displayName, frame.language), asLine(name)] as [string, string]] }
        : { label: `${asName(displayName, frame.language)} (${asLine(name)})`, link },
    ),
    ...(signInUrl === undefined ? [] : [{ label: said.signIn, link: signInUrl }]),
  ];
  return layOutMail(
    said.subject,
    [
      { text: fill(greeting, factsOf(receiver, frame.language)) },
      ...(sites.length === 0 ? [{ text: said.none }] : list),
      { text: said.notYou },
    ],
    frame,
  );
}

function factsOf({ firstName, lastName, userName }: Receiver, language: Locale): Record<string, string> {
  // a user without a recorded name is addressed all the same
  const name = wholeName(firstName, lastName) || userName;
  return { name: asName(name, language), userName: asName(userName, language) };
}

/** Fills the places of a sentence; what is filled in is never read as a place again. */
function fill(sentence: string, facts: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{\{(\w+)\}\}/g, (place, name: string) => facts[name] ?? place);
}
