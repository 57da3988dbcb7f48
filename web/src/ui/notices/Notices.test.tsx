// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { click, draw, requireElement } from '../testing/draw.tsx';
import { Notices } from './Notices.tsx';

test('the live region exists before the first notification [WCAG 4.1.3]', () => {
  draw(<Notices notices={[]} onDismiss={() => {}} />);
  expect(requireElement('[aria-live]').textContent).toBe('');
});

test('a notification states its level, and its button dismisses only this notification [2.70]', () => {
  const onDismiss = vi.fn<(id: number) => void>();
  const notices = [
    { id: 3, level: 'info', content: 'Your session has ended.' },
    { id: 7, level: 'error', content: 'We cannot reach the service.' },
  ] as const;
  draw(<Notices notices={notices} onDismiss={onDismiss} />);
  expect(requireElement('[data-notification=info]').textContent).toBe('Notice: Your session has ended.');
  click(requireElement('[data-notification=error] [data-action=dismiss]'));
  expect(onDismiss).toHaveBeenCalledExactlyOnceWith(7);
});
