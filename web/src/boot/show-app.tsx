import { useEffect } from 'react';
import type { ReactNode } from 'react';
import type { Correlation } from '../api/correlation.ts';
import type { Flow } from '../flow/store.ts';
import { App } from '../screens/App.tsx';
import { preloadScreen } from '../screens/screens.tsx';
import { createRoot, hydrateRoot, startTransition } from './react.ts';

/**
 * Renders the application. If the page already contains the form of the first screen (its shell), hydrates it, which
 * keeps what the visitor has typed. Renders in a transition, so that each task is short. Resolves when the first screen
 * is in the document.
 */
export async function showApp(flow: Flow, correlation: Correlation): Promise<void> {
  const container = document.getElementById('root');
  if (!container) throw new Error('No #root');
  const { page } = flow.store.getState();
  await preloadScreen(page);
  // A form that is not on the page by now would be too late.
  document.querySelector('template')?.remove();
  if (!container.querySelector(`[data-step=${page}]`)) {
    container.replaceChildren();
    delete container.dataset['shell'];
  }
  await new Promise<void>((resolve) => {
    const app = (
      <Shown onShown={resolve}>
        <App flow={flow} correlation={correlation} />
      </Shown>
    );
    startTransition(() => {
      // If the shell differs from the first render, React renders the form again and the visitor loses at most the
      // typed text. That is not worth an error report.
      if (container.firstChild) hydrateRoot(container, app, { onRecoverableError: () => {} });
      else createRoot(container).render(app);
    });
  });
}

function Shown({ onShown, children }: { onShown: () => void; children: ReactNode }): ReactNode {
  useEffect(onShown, [onShown]);
  return children;
}
