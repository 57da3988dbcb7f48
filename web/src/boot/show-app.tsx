import type { Correlation } from '../api/correlation.ts';
import type { Flow } from '../flow/store.ts';
import { App } from '../screens/App.tsx';
import { preloadScreen } from '../screens/screens.tsx';
import { createRoot, flushSync } from './react.ts';

/** Draws the application. When it resolves, the first screen is in the document. */
export async function showApp(flow: Flow, correlation: Correlation): Promise<void> {
  const container = document.getElementById('root');
  if (!container) throw new Error('index.html has no #root');
  await preloadScreen(flow.store.getState().page);
  flushSync(() => createRoot(container).render(<App flow={flow} correlation={correlation} />));
}
