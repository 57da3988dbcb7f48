import { createContext, use, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { Correlation } from '../api/correlation.ts';
import type { OutsideEvent, VisitorEvent } from '../flow/events.ts';
import type { FlowState } from '../flow/model.ts';
import type { Flow } from '../flow/store.ts';

interface Visit {
  flow: Flow;
  /** The correlation id of this visit's calls, also shown for support. */
  correlation: Correlation;
}

/** Events that a screen can send: actions of the visitor, and failures while rendering. */
export type ScreenEvent =
  | VisitorEvent
  | Extract<
      OutsideEvent,
      { type: 'TEXT_MISSING' | 'CALL_FAILED' | 'CRASHED' | 'AUTH_ANSWERED' | 'AUTH_FAILED' }
    >;

const VisitContext = createContext<Visit | undefined>(undefined);

interface VisitProviderProps extends Visit {
  children: ReactNode;
}

export function VisitProvider({ children, ...visit }: VisitProviderProps): ReactNode {
  return <VisitContext value={visit}>{children}</VisitContext>;
}

function useVisit(): Visit {
  const visit = use(VisitContext);
  if (!visit) throw new Error('No VisitProvider');
  return visit;
}

/**
 * Selects a part of the flow's state. The selector must not create new objects, or the component rerenders each time.
 */
export function useFlow<TPart>(selector: (state: FlowState) => TPart): TPart {
  const { getState, subscribe } = useVisit().flow.store;
  const read = (): TPart => selector(getState());
  // The server snapshot is the same function, because a shell is rendered and hydrated in the current state.
  return useSyncExternalStore(subscribe, read, read);
}

/** Sends an event to the flow. */
export function useSend(): (event: ScreenEvent) => void {
  return useVisit().flow.send;
}

/** Calls back after every change of the flow, for side effects outside React such as the focus. */
export function useFlowSubscription(): (listener: () => void) => () => void {
  return useVisit().flow.store.subscribe;
}

export function useCorrelation(): Correlation {
  return useVisit().correlation;
}
