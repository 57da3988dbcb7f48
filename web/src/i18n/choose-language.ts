import { switchLanguage } from './current-language.ts';
import { isSupportedLocale } from './locales.ts';

/** Shows the chosen language. If its file cannot be loaded, the current language stays. */
export function chooseLanguage(chosen: string): void {
  if (isSupportedLocale(chosen)) switchLanguage(chosen).catch(() => {});
}
