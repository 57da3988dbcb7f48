import type { Locale } from '@anteroom/contract';
import { wholeName } from '@anteroom/contract/person-name';
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

/** A message before it has an address: plain text alone, in which nothing can act (attacks and faults, S07). */
export type Letter = { subject: string; text: string };

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

const signature = 'Anteroom';

type Receiver = { firstName: string; lastName: string; userName: string };
export type NamedSite = { name: string; displayName: string };

/** The link for a new password. */
export function writePasswordLink(
  locale: Locale,
  receiver: Receiver,
  { link, minutes }: { link: string; minutes: number },
): Letter {
  const { greeting, passwordLink: said } = words[locale];
  const facts = { ...factsOf(receiver), minutes: String(minutes) };
  return {
    subject: said.subject,
    text: asText([
      fill(greeting, facts),
      fill(said.request, facts),
      link,
      fill(said.validity, facts),
      said.notYou,
    ]),
  };
}

/** For somebody whose organisation signs them in: there is no password to change. */
export function writeSignsInElsewhere(locale: Locale, receiver: Receiver): Letter {
  const { greeting, signsInElsewhere: said } = words[locale];
  const facts = factsOf(receiver);
  return {
    subject: said.subject,
    text: asText([fill(greeting, facts), fill(said.request, facts), said.help]),
  };
}

/** A person's sites, with the name that is entered for each. */
export function writeSiteNames(
  locale: Locale,
  receiver: Receiver,
  { sites, signInUrl }: { sites: readonly NamedSite[]; signInUrl: string | undefined },
): Letter {
  const { greeting, siteNames: said } = words[locale];
  // what is to be typed carries no invisible character
  const list = sites.map(({ name, displayName }) => `- ${asWords(displayName)}: ${asLine(name)}`).join('\n');
  return {
    subject: said.subject,
    text: asText([
      fill(greeting, factsOf(receiver)),
      ...(sites.length === 0 ? [said.none] : [`${said.list}\n\n${list}`]),
      ...(sites.length === 0 || signInUrl === undefined ? [] : [`${said.signIn}\n${signInUrl}`]),
      said.notYou,
    ]),
  };
}

function factsOf({ firstName, lastName, userName }: Receiver): Record<string, string> {
  // somebody whose name nobody has written down is addressed all the same
  const name = wholeName(firstName, lastName) || userName;
  return { name: asWords(name), userName: asWords(userName) };
}

/** Paragraphs, and who writes. */
function asText(paragraphs: readonly string[]): string {
  return `${[...paragraphs, signature].join('\n\n')}\n`;
}

/** Fills the places of a sentence; what is filled in is never read as a place again. */
function fill(sentence: string, facts: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{\{(\w+)\}\}/g, (place, name: string) => facts[name] ?? place);
}

/** Letters that run from right to left. */
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** A name that turns nothing around it: one that runs from right to left stands in an isolate (Unicode Standard Annex 9). */
function asWords(name: string): string {
  const line = asLine(name);
  return rightToLeft.test(line) ? `\u2068${line}\u2069` : line;
}

/** One line, without what breaks lines or turns directions. */
function asLine(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
}
