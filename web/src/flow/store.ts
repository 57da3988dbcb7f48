import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import type { Effect } from './effects.ts';
import type { FlowEvent } from './events.ts';
import { transition } from './machine.ts';
import { initialState } from './model.ts';
import type { Arrival, FlowState } from './model.ts';

export interface Flow {
  store: StoreApi<FlowState>;
  /** Applies an event. */
  send: (event: FlowEvent) => void;
}

/**
 * Runs an effect. `report` drops results of an earlier run of the flow: after a restart, a late answer must not move
 * the visitor.
 */
export type EffectRunner = (effect: Effect, flow: Flow & { report: (event: FlowEvent) => void }) => void;

export function createFlow(arrival: Arrival, runEffect: EffectRunner): Flow {
  const store = createStore<FlowState>(() => initialState(arrival));

  function send(event: FlowEvent): void {
    const { state, effects } = transition(store.getState(), event);
    store.setState(state, true);
    const { run } = state;
    const report = (reported: FlowEvent): void => {
      if (store.getState().run === run) send(reported);
    };
    for (const effect of effects) runEffect(effect, { store, send, report });
  }

  return { store, send };
}
