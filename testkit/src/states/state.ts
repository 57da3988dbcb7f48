import type { Places } from '../scripted/opening-scene.ts';
import type { Script } from '../scripted/script.ts';

/** Where a state is set: an identity service to be told what to say, and the addresses that its answers may name. */
export interface Stage {
  script: Script;
  places: Places;
}

/**
 * One thing that a visitor does on the way to a state, as data: Playwright makes these moves in journeys and pictures, a script in
 * the page makes them in the gallery. Things are found by the names in the page of the wire contract, because states are played in every language.
 */
export type Move =
  | { do: 'fill'; field: string; text: string }
  | { do: 'enter-code'; digits: string }
  | { do: 'click'; on: string }
  | { do: 'submit' }
  | { do: 'wait-for'; selector: string }
  | { do: 'wait-until-gone'; selector: string };

/** A screen as it can be, and how a visitor comes there. */
export interface State {
  /** Stands in links and in the names of pictures. */
  id: string;
  name: string;
  group: StateGroup;
  /** What `<main data-step>` says once the visitor is there; undefined: the splash still covers the page. */
  step: string | undefined;
  /** What the service says other than in the opening scene, where everything goes well. */
  set?: (stage: Stage) => void;
  /** Under `/ui`, with a query of its own where it needs one; the login unless given. */
  path?: string;
  fragment?: string;
  /** The cookie that another page has left. */
  notice?: { level: 'info' | 'error'; key: string };
  moves?: readonly Move[];
}

export const stateGroups = [
  'Arrival',
  'Site entry',
  'Credentials',
  'Confirmation',
  'Second factor',
  'Password change',
  'Site list',
  'Sign-out',
  'Other pages',
  'Recovery',
  'Account',
] as const;
export type StateGroup = (typeof stateGroups)[number];

/** A state as the file of its group lists it: where most of the group are at one step, only the others name theirs. */
type Listed = Omit<State, 'group' | 'step'> & { step?: State['step'] };

export function statesOf(group: StateGroup, usualStep: string, states: readonly Listed[]): readonly State[] {
  return states.map((state) => ({ step: usualStep, ...state, group }));
}
