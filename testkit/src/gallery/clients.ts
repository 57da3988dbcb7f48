import type { Branding } from '@anteroom/contract';
import { contextAt, logoutContextAt, recoveryContextAt } from '../scripted/opening-scene.ts';
import type { Script } from '../scripted/script.ts';
import type { Stage } from '../states/state.ts';

/** Applications that can start a sign-in, by their names in the gallery's menu. */
export const clients: Readonly<Record<string, Branding | undefined>> = {
  'no brand': undefined,
  violet: { productName: 'Harbor Boards', accentColour: '#6a1b9a' },
  'pale yellow, corrected': { productName: 'Sunrise Governance', accentColour: '#fff59d' },
  'near black, corrected': { productName: 'Donaudampfschifffahrt Aufsichtsrat', accentColour: '#101010' },
};

/** The calls that return the client's branding. */
const contexts: ReadonlySet<string> = new Set(['getAuthContext', 'getLogoutContext', 'getRecoveryContext']);

/** Returns a stage whose contexts contain this branding. */
export function brandedStage({ script, urls }: Stage, branding: Branding | undefined): Stage {
  if (!branding) return { script, urls };
  const answer: Script['answer'] = (name, said, around) =>
    script.answer(
      name,
      contexts.has(name) && typeof said === 'object' ? { ...said, branding } : said,
      around,
    );
  answer('getAuthContext', contextAt(urls));
  answer('getLogoutContext', logoutContextAt(urls));
  answer('getRecoveryContext', recoveryContextAt(urls));
  return { urls, script: { ...script, answer } };
}
