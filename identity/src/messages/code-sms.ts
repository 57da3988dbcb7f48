import type { Locale } from '@anteroom/contract';
import { textsIn } from './text-catalogue.ts';

const rightToLeft: ReadonlySet<Locale> = new Set<Locale>(['ar', 'he']);

/**
 * The text message with a one-time code. Its last line binds the code to the page's host, so that a browser on the same phone
 * may offer to fill it in there and nowhere else (WICG, Origin-bound one-time codes delivered via SMS).
 */
export function codeSmsText(facts: {
  code: string;
  minutes: number;
  language: Locale;
  publicUrl: string;
}): string {
  const { code, minutes, language, publicUrl } = facts;
  // LEFT-TO-RIGHT ISOLATE: digits stay in their order whatever stands around them (UAX #9, 2.7). Left out where it is not needed:
  // the character alone would make the message a 16-bit one, of 70 characters instead of 160.
  const shown = rightToLeft.has(language) ? `\u2066${code}\u2069` : code;
  const words = textsIn(language).secondFactorSms({ code: shown, minutes });
  return `${words}\n\n@${new URL(publicUrl).hostname} #${code}`;
}
