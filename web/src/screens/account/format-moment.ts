import type { Locale } from '@anteroom/contract';

/** Date and time of the visitor's own clock, in the language that is shown and in Western digits (decision 013). */
export function formatMoment(moment: string, locale: Locale, timeStyle?: 'short'): string {
  const format = new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, {
    dateStyle: 'long',
    ...(timeStyle && { timeStyle }),
  });
  return format.format(new Date(moment));
}
