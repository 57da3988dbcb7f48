// @vitest-environment happy-dom
import { act } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFlow } from '../../flow/store.ts';
import { draw } from '../../ui/testing/draw.tsx';
import { VisitProvider } from '../flow-context.tsx';
import { CrashBoundary } from './CrashBoundary.tsx';

test('a screen that fails to render shows the error page [8.3]', () => {
  // React logs every error that a boundary catches.
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => consoleError.mockRestore());
  const flow = createFlow({ entry: { kind: 'home', page: 'version' } }, () => {});
  act(() => flow.send({ type: 'STARTED' }));

  function Broken(): never {
    throw new Error('cannot be drawn');
  }
  draw(
    <VisitProvider
      flow={flow}
      correlation={{ id: 'one', nextHeaders: () => ({ 'X-Correlation-Id': 'one.1', CorrelationId: 'one' }) }}
    >
      <CrashBoundary>
        <Broken />
      </CrashBoundary>
    </VisitProvider>,
  );
  expect(flow.store.getState().page).toBe('error');
});
