import type { Locale } from '@anteroom/contract';
import { isolated, isRightToLeft, textsIn } from './text-catalogue.ts';

/** What the product is called where the application has no name of its own for it. */
const ownProductName = 'Anteroom';

/**
 * Names that a phone shows as words: short, on one line, without anything that it makes a link of, calls, or takes for the code
 * (attacks and faults, S07). A full stop ends a word or stands between initials.
 */
const plainName = /^(?!.*\p{Nd}{4})(?:[\p{L}\p{M}\p{Nd} &'’,()・–-]|\.(?= |$|\p{Lu}\.)){1,40}$/u;

/**
 * The text message with a one-time code. Its last line binds the code to the page's host, so that a browser on the same phone
 * may offer to fill it in there and nowhere else (WICG, Origin-bound one-time codes delivered via SMS).
 */
export function codeSmsText(facts: {
  code: string;
  minutes: number;
  /** What the application and the site call themselves; a name that is more than plain words is left out. */
  productName: string | undefined;
  siteDisplayName: string | undefined;
  language: Locale;
  publicUrl: string;
}): string {
  const { code, minutes, language, publicUrl } = facts;
  const findName = (name: string | undefined): string | undefined =>
    name !== undefined && plainName.test(name) ? isolated(name, language) : undefined;
  const words = textsIn(language).secondFactorSms({
    product: findName(facts.productName) ?? isolated(ownProductName, language),
    site: findName(facts.siteDisplayName),
    // LEFT-TO-RIGHT ISOLATE: digits stay in their order whatever stands around them (UAX #9, 2.7)
    code: isRightToLeft(language) ? `\u2066${code}\u2069` : code,
    minutes,
  });
  return `${words}\n\n@${new URL(publicUrl).hostname} #${code}`;
}
