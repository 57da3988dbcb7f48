import type { Locale } from '@anteroom/contract';
import { dateTagOf } from '../../i18n/locales.ts';

/** Formats a date and time in the visitor's time zone and the language of the page. */
export function formatMoment(moment: string, locale: Locale, timeStyle?: 'short'): string {
  const format = new Intl.DateTimeFormat(dateTagOf(locale), {
    dateStyle: 'long',
    ...(timeStyle && { timeStyle }),
  });
  return format.format(new Date(moment));
}
