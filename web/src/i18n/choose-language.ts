import type { Locale } from '@anteroom/contract';
import { switchLanguage } from './current-language.ts';
import { isSupportedLocale } from './locales.ts';

/** Shows the chosen language. If its file cannot be loaded, the current language stays. */
export function chooseLanguage(chosen: string, onChosen?: (locale: Locale) => void): void {
  if (isSupportedLocale(chosen))
    switchLanguage(chosen).then(
      () => onChosen?.(chosen),
      () => {},
    );
}
