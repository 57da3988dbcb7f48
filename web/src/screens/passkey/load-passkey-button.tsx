import type { ReactNode } from 'react';
import { loadTexts } from '../../i18n/current-language.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { PasskeyButton } from './PasskeyButton.tsx';

/** Shows the passkey button once its texts have loaded. If they cannot be loaded, the screen does not change. */
export async function loadPasskeyButton(
  show: (part: ReactNode) => void,
  onProblem: (problem: MessageKey | undefined) => void,
): Promise<void> {
  await loadTexts('passkey').then(
    () => show(<PasskeyButton onProblem={onProblem} />),
    () => {},
  );
}
