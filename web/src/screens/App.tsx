import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Correlation } from '../api/correlation.ts';
import type { Flow } from '../flow/store.ts';
import { VisitProvider } from './flow-context.tsx';
import { FlowFrame } from './frame/FlowFrame.tsx';
import { toShown } from './screens.tsx';

interface AppProps {
  flow: Flow;
  /** The correlation id of this visit's calls. */
  correlation: Correlation;
}

/** The whole application: the frame with the current screen. */
export function App({ flow, correlation }: AppProps): ReactNode {
  const [shown] = useState(() => toShown(flow));
  return (
    <VisitProvider flow={shown} correlation={correlation}>
      <FlowFrame />
    </VisitProvider>
  );
}
