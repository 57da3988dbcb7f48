import type { Locale } from '@anteroom/contract';

/**
 * Formats a date and time in the visitor's time zone and the language of the page, with Western digits (decision 013).
 */
export function formatMoment(moment: string, locale: Locale, timeStyle?: 'short'): string {
  const format = new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, {
    dateStyle: 'long',
    ...(timeStyle && { timeStyle }),
  });
  return format.format(new Date(moment));
}
