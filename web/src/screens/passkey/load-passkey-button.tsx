import type { ReactNode } from 'react';
import { loadLanguage, requireLanguage } from '../../i18n/current-language.ts';
import { needTexts } from '../../i18n/locale-file.ts';
import { PasskeyButton } from './PasskeyButton.tsx';

/** Shows the passkey button once its texts have loaded. If they cannot be loaded, the screen does not change. */
export async function loadPasskeyButton(show: (part: ReactNode) => void): Promise<void> {
  needTexts('passkey');
  await loadLanguage(requireLanguage().locale).then(
    () => show(<PasskeyButton />),
    () => {},
  );
}
