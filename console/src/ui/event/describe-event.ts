import { currentLocale, findText, t, toKey } from '../../texts/texts.ts';

type Event = { event: string; result: 'success' | 'failure'; reason: string | null };

/** What happened, and why it failed: in English the service's reason, which is more exact. */
export function describeEvent({ event, result, reason }: Event): string {
  const name = findText(`events.${toKey(event)}`) ?? t('events.unknown');
  if (result === 'success') return name;
  return `${name}: ${(currentLocale() === 'en' && reason) || t('events.failure')}`;
}
