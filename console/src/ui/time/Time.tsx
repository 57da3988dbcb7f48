import { formatLocale } from '../../texts/texts.ts';

type TimeProps = { at: string; dayOnly?: boolean };

export function formatTime(at: string, { dayOnly = false }: { dayOnly?: boolean } = {}): string {
  return new Intl.DateTimeFormat(formatLocale(), {
    dateStyle: 'medium',
    ...(!dayOnly && { timeStyle: 'short' }),
  }).format(new Date(at));
}

export function Time({ at, dayOnly = false }: TimeProps) {
  return <time dateTime={at}>{formatTime(at, { dayOnly })}</time>;
}
