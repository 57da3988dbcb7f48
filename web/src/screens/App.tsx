import type { ReactNode } from 'react';
import type { Flow } from '../flow/store.ts';
import { VisitProvider } from './flow-context.tsx';
import { Frame } from './frame/Frame.tsx';

interface AppProps {
  flow: Flow;
  /** The id that this visit's calls carry, for support. */
  correlationId: string;
}

/** The whole application: the frame, and in it the screen that the flow stands on. */
export function App({ flow, correlationId }: AppProps): ReactNode {
  return (
    <VisitProvider flow={flow} correlationId={correlationId}>
      <Frame />
    </VisitProvider>
  );
}
