// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LogoutContext } from '@anteroom/contract';
import { click, requireElement } from '../../ui/testing/draw.tsx';
import { drawApp } from '../testing/draw-app.tsx';
import type { DrawnApp } from '../testing/draw-app.tsx';
import { action, findAction, focusedName, heading, step, submit } from '../testing/page.ts';

function drawLogout(changes: Partial<LogoutContext> = {}): Promise<DrawnApp> {
  const context = {
    postLogoutRedirectUri: 'https://app.example/bye',
    requiresConfirmation: true,
    showCancelButton: true,
    signOutIFrameUrl: 'https://id.example/sign-out-frame',
    ...changes,
  };
  return drawApp({ entry: { kind: 'logout', logoutId: 'one' } }, [
    { type: 'LOGOUT_CONTEXT_LOADED', context },
  ]);
}

describe('the confirmation', () => {
  test('has the focus on its heading, and its submit button signs out [2.3]', async () => {
    const app = await drawLogout();
    expect([step(), heading(), focusedName()]).toEqual(['logout', 'Sign out', 'H2']);
    submit();
    submit();
    expect(app.calls('signOut')).toHaveLength(1);
  });

  test('has a cancel button if the service says so [2.3, 4.29]', async () => {
    const app = await drawLogout();
    click(action('cancel'));
    expect(app.effects('leave')).toEqual([{ type: 'leave', location: 'https://app.example/bye' }]);
    expect(app.calls('signOut')).toEqual([]);
  });

  test('has no cancel button otherwise', async () => {
    await drawLogout({ showCancelButton: false });
    expect(findAction('cancel')).toBeNull();
  });
});

describe('signed out', () => {
  // happy-dom loads no frames and logs that directly to the real console.
  beforeEach(() => {
    vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const frame = (): HTMLIFrameElement | null => document.querySelector('iframe');

  test('shows the message under the logo while a hidden frame signs out at the service [2.4]', async () => {
    const app = await drawLogout();
    await app.report({ type: 'SIGNED_OUT' });
    expect([step(), heading()]).toEqual(['logged-out', 'You are signed out']);
    expect(requireElement('h1').querySelector('svg')).not.toBeNull();
    expect([frame()?.src, frame()?.hidden]).toEqual(['https://id.example/sign-out-frame', true]);
    expect(requireElement('main').textContent).toContain('You will be taken back');
  });

  test.each([
    ['to the start page of the installation', 'https://boards.example/', 'https://boards.example/'],
    ['nowhere without a start page', undefined, undefined],
    ['nowhere if its address is unsafe', 'javascript:alert(1)', undefined],
  ])('without an address announces no navigation, and links %s [3.12]', async (_, homeUri, href) => {
    const app = await drawLogout({ postLogoutRedirectUri: undefined });
    await app.report({ type: 'CONFIG_LOADED', config: { homeUri } }, { type: 'SIGNED_OUT' });
    expect(requireElement('main').textContent).not.toContain('taken back');
    expect(document.querySelector('main a')?.getAttribute('href')).toBe(href);
  });

  test('there is no frame without an address', async () => {
    const app = await drawLogout({ signOutIFrameUrl: undefined });
    await app.report({ type: 'SIGNED_OUT' });
    expect(frame()).toBeNull();
  });
});
