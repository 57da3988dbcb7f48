import { createContext, use } from 'react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { Correlation } from '../api/correlation.ts';
import type { OutsideEvent, VisitorEvent } from '../flow/events.ts';
import type { FlowState } from '../flow/model.ts';
import type { Flow } from '../flow/store.ts';

interface Visit {
  flow: Flow;
  /** What this visit's calls carry; its id is for support too. */
  correlation: Correlation;
}

/** What a screen may tell the flow: what the visitor does, and what failed while it was drawn. */
export type ScreenEvent =
  | VisitorEvent
  | Extract<OutsideEvent, { type: 'TEXT_MISSING' | 'CALL_FAILED' | 'CRASHED' | 'AUTH_ANSWERED' }>;

const VisitContext = createContext<Visit | undefined>(undefined);

interface VisitProviderProps extends Visit {
  children: ReactNode;
}

export function VisitProvider({ children, ...visit }: VisitProviderProps): ReactNode {
  return <VisitContext value={visit}>{children}</VisitContext>;
}

function useVisit(): Visit {
  const visit = use(VisitContext);
  if (!visit) throw new Error('Not inside VisitProvider');
  return visit;
}

/** A part of the flow's state. The selector gives the same thing for the same state: it makes no new objects. */
export function useFlow<TPart>(selector: (state: FlowState) => TPart): TPart {
  return useStore(useVisit().flow.store, selector);
}

/** Tells the flow what happened. */
export function useSend(): (event: ScreenEvent) => void {
  return useVisit().flow.send;
}

/** Calls back after every change of the flow; for what stands outside React, such as the focus. */
export function useFlowSubscription(): (listener: () => void) => () => void {
  return useVisit().flow.store.subscribe;
}

export function useCorrelation(): Correlation {
  return useVisit().correlation;
}
