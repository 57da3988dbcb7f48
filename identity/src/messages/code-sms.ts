import type { Locale } from '@anteroom/contract';
import { directionOf, isolated, textsIn } from '../texts/catalogue.ts';

/** The product name for applications that configure none. */
const ownProductName = 'Anteroom';

/**
 * Names that a phone displays as plain text: short, on one line, without anything that it would turn into a link,
 * dial, or take for the code (attacks and faults, S07). A full stop can only end a word or follow an initial.
 */
const plainName = /^(?!.*\p{Nd}{4})(?:[\p{L}\p{M}\p{Nd} &'’,()・–-]|\.(?= |$|\p{Lu}\.)){1,40}$/u;

/**
 * The text message with a one-time code. Its last line binds the code to the page's host, so that a browser on the
 * same phone offers to autofill it only there (WICG, Origin-bound one-time codes delivered via SMS).
 */
export function codeSmsText(facts: {
  code: string;
  minutes: number;
  /** The names of the application and the site; a name that is not plain text is omitted. */
  productName: string | undefined;
  siteDisplayName: string | undefined;
  /** The code confirms a number that the user wants to add. */
  isNewNumber?: boolean | undefined;
  language: Locale;
  publicUrl: string;
}): string {
  return `${signInCodeText(facts)}\n\n@${new URL(facts.publicUrl).hostname} #${facts.code}`;
}

/** The sentence with a one-time code, for a text message or a mail. */
export function signInCodeText({
  code,
  minutes,
  language,
  ...facts
}: Omit<Parameters<typeof codeSmsText>[0], 'publicUrl'>): string {
  const texts = textsIn(language);
  return (facts.isNewNumber === true ? texts.newNumberSms : texts.secondFactorSms)({
    product: productNameIn(language, facts.productName),
    site: findPlainName(facts.siteDisplayName, language),
    // LEFT-TO-RIGHT ISOLATE: the digits keep their order in any context (UAX #9, 2.7)
    code: directionOf(language) === 'rtl' ? `\u2066${code}\u2069` : code,
    minutes,
  });
}

/** Tells the previous phone of an account that it no longer receives its codes. */
export function numberGoneSmsText(language: Locale, productName: string | undefined): string {
  return textsIn(language).numberGoneSms({ product: productNameIn(language, productName) });
}

function findPlainName(name: string | undefined, language: Locale): string | undefined {
  return name !== undefined && plainName.test(name) ? isolated(name, language) : undefined;
}

function productNameIn(language: Locale, name: string | undefined): string {
  return findPlainName(name, language) ?? isolated(ownProductName, language);
}
