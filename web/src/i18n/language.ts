import { useSyncExternalStore } from 'react';
import { requireLanguage, subscribeToLanguage } from './current-language.ts';
import type { Translator } from './translator.ts';

/**
 * The current language for components, which rerender when it changes. A separate module, so that the boot code does
 * not load React.
 */
export function useLanguage(): Translator {
  return useSyncExternalStore(subscribeToLanguage, requireLanguage, requireLanguage);
}
