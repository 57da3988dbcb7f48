import type { ScriptedUrls } from '../scripted/opening-scene.ts';
import type { Script } from '../scripted/script.ts';

/** The parts with which a state is set up: a scripted service, and the URLs for its responses. */
export interface Stage {
  script: Script;
  urls: ScriptedUrls;
}

/**
 * A step of the visitor on the way to a state, as data: Playwright performs it in journeys and pictures, a script in
 * the page performs it in the gallery. Elements are found by their names in the wire contract, because states are
 * shown in every language.
 */
export type Move =
  | { do: 'fill'; field: string; text: string }
  | { do: 'enter-code'; digits: string }
  | { do: 'click'; on: string }
  | { do: 'submit' }
  | { do: 'wait-for'; selector: string }
  | { do: 'wait-until-gone'; selector: string };

/** A state of a screen, and how a visitor reaches it. */
export interface State {
  /** Used in links and in file names of pictures. */
  id: string;
  name: string;
  group: StateGroup;
  /** The value of `<main data-step>` in this state; undefined while the splash covers the page. */
  step: string | undefined;
  /** Changes to the opening scene, in which every call succeeds. */
  set?: (stage: Stage) => void;
  /** The path under `/ui`, with a query if needed; default: the login page. */
  path?: string;
  fragment?: string;
  /** A cookie set by a previous page. */
  notice?: { level: 'info' | 'error'; key: string };
  moves?: readonly Move[];
}

export const stateGroups = [
  'Arrival',
  'Remembered accounts',
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

/** A state as listed in the file of its group. The default of `step` is the group's step. */
type Listed = Omit<State, 'group' | 'step'> & { step?: State['step'] };

export function statesOf(group: StateGroup, usualStep: string, states: readonly Listed[]): readonly State[] {
  return states.map((state) => ({ step: usualStep, ...state, group }));
}
