import type { AuthContext, CallInput, CallName } from '@anteroom/contract';
import type { Effect } from './effects.ts';
import type { FlowEvent } from './events.ts';
import { transition } from './machine.ts';
import { initialState } from './model.ts';
import type { Arrival, FlowState } from './model.ts';

/** The context for a visitor without a session, with overrides. */
export function contextWith(more: Partial<AuthContext> = {}): AuthContext {
  return {
    selectSite: false,
    allowDefaultSiteEntry: true,
    allowUserNameEntry: true,
    allowPasswordEntry: true,
    reauthRequested: false,
    clientId: 'director',
    identityServiceUrl: 'https://id.example',
    cancelRedirectUri: 'https://boards.example/cancel',
    mfaCodeValidityInMinutes: 10,
    session: { state: 'none', isExternallyAuthenticated: false },
    ...more,
  };
}

export const validSession: AuthContext['session'] = {
  state: 'valid',
  authSite: 'harbor',
  isExternallyAuthenticated: false,
};

/** Applies events in order; returns the final state and all requested effects. */
export function play(
  events: readonly FlowEvent[],
  from: FlowState | Arrival = { entry: { kind: 'login' } },
): { state: FlowState; effects: Effect[] } {
  let state = 'run' in from ? from : initialState(from);
  const effects: Effect[] = [];
  for (const event of events) {
    const next = transition(state, event);
    state = next.state;
    effects.push(...next.effects);
  }
  return { state, effects };
}

/** The inputs of the requested calls of a name. */
export const callsIn = <TName extends CallName>(
  effects: readonly Effect[],
  name: TName,
): CallInput<TName>[] =>
  effects.flatMap((effect) =>
    effect.type === 'call' && effect.name === name ? [effect.input as CallInput<TName>] : [],
  );

/** The events that lead to the credentials of the site `harbor`. */
export function toCredentials(more: Partial<AuthContext> = {}, allowPasswordEntry = true): FlowEvent[] {
  return [
    { type: 'STARTED' },
    { type: 'CONTEXT_LOADED', context: contextWith({ defaultSite: 'harbor', ...more }) },
    { type: 'SITE_SETTINGS_LOADED', answer: { allowPasswordEntry } },
  ];
}
