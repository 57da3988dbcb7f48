import { useSyncExternalStore } from 'react';
import { requireLanguage, subscribeToLanguage } from './current-language.ts';
import type { Translator } from './translator.ts';

/**
 * The language that is shown, in a component: it draws again when another one is chosen.
 * Apart from the language itself, so that the boot, which needs that alone, does not wait for React.
 */
export function useLanguage(): Translator {
  return useSyncExternalStore(subscribeToLanguage, requireLanguage);
}
