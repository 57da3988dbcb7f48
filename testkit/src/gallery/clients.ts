import type { Branding } from '@anteroom/contract';
import { contextAt, logoutContextAt, recoveryContextAt } from '../scripted/opening-scene.ts';
import type { Script } from '../scripted/script.ts';
import type { Stage } from '../states/state.ts';

/** Applications that a sign-in may come from, by the name that the gallery's switch has for them. */
export const clients: Readonly<Record<string, Branding | undefined>> = {
  'no brand': undefined,
  violet: { productName: 'Harbor Boards', accentColour: '#6a1b9a' },
  'pale yellow, corrected': { productName: 'Sunrise Governance', accentColour: '#fff59d' },
  'near black, corrected': { productName: 'Donaudampfschifffahrt Aufsichtsrat', accentColour: '#101010' },
};

/** What says whose sign-in, sign-out or recovery this is. */
const contexts: ReadonlySet<string> = new Set(['getAuthContext', 'getLogoutContext', 'getRecoveryContext']);

/** The same stage, but every context that it answers from now on carries the brand. */
export function brandedStage({ script, places }: Stage, branding: Branding | undefined): Stage {
  if (!branding) return { script, places };
  const answer: Script['answer'] = (name, said, around) =>
    script.answer(
      name,
      contexts.has(name) && typeof said === 'object' ? { ...said, branding } : said,
      around,
    );
  answer('getAuthContext', contextAt(places));
  answer('getLogoutContext', logoutContextAt(places));
  answer('getRecoveryContext', recoveryContextAt(places));
  return { places, script: { ...script, answer } };
}
