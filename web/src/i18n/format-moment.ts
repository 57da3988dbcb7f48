import type { Locale } from '@anteroom/contract';
import { dateTagOf } from './locales.ts';

/**
 * Formats a date and time in the visitor's time zone and the language of the page.
 * @param moment an ISO date, or milliseconds since 1970
 */
export function formatMoment(moment: string | number, locale: Locale, timeStyle?: 'short'): string {
  const format = new Intl.DateTimeFormat(dateTagOf(locale), {
    dateStyle: 'long',
    ...(timeStyle && { timeStyle }),
  });
  return format.format(new Date(moment));
}
