// @vitest-environment happy-dom
import { act } from 'react';
import { describe, expect, test } from 'vitest';
import { carryUserName, takeUserName } from './carried-user-name.ts';
import { drawRecovery } from './screens/recovery/testing.tsx';
import { drawSignIn } from './screens/testing/draw-app.tsx';
import { action, type } from './screens/testing/page.ts';
import { requireElement } from './ui/testing/draw.tsx';

/** Clicks a link without leaving the page. Returns the user names that two next pages take. */
function follow(link: HTMLElement, options: MouseEventInit = {}): (string | undefined)[] {
  const listening = new AbortController();
  carryUserName(listening.signal);
  window.addEventListener('click', (event) => event.preventDefault(), listening);
  act(
    () => void link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...options })),
  );
  listening.abort();
  return [takeUserName(), takeUserName()];
}

const ada = 'ada@acme.example';

describe('the link for forgotten credentials', () => {
  test.each([
    ['/ui/recovery/forgotten-password', ada],
    ['https://elsewhere.example/forgotten', undefined],
  ])('carries the typed user name to %s: %s', async (forgotPasswordUrl, carried) => {
    await drawSignIn({ forgotPasswordUrl });
    type('userName', ` ${ada} `);
    const link = action('forgot-credentials');
    expect(follow(link)).toEqual([carried, undefined]);
    expect(link.getAttribute('href')).not.toContain('ada');
  });

  test('stores nothing if the page stays', async () => {
    await drawSignIn({ forgotPasswordUrl: '/ui/recovery/forgotten-password' });
    type('userName', ada);
    expect(follow(action('forgot-credentials'), { ctrlKey: true })).toEqual([undefined, undefined]);
    expect(follow(action('back-to-site'))).toEqual([undefined, undefined]);
  });
});

describe('the link back to the sign-in', () => {
  const signInUrl = `${location.origin}/ui/account/login?ReturnUrl=x`;
  const context = { linkValidityInMinutes: 30, loginFlowCustomizations: undefined, signInUrl };

  test.each([
    ['forgotten-password', 'userName'],
    ['forgotten-site', 'email'],
  ] as const)('carries what was typed on %s, before and after it is sent', async (page, field) => {
    const { submit } = drawRecovery(page, { context });
    type(field, ada);
    expect(follow(action('back'))).toEqual([ada, undefined]);
    await submit();
    expect(document.querySelector('main input')).toBeNull();
    expect(follow(action('back'))).toEqual([ada, undefined]);
  });

  test('carries the user name of a changed password', async () => {
    const facts = { userName: ada, passwordPolicy: { policyLines: [] } };
    const { submit } = drawRecovery('new-password', { context, link: { state: 'open', token: 't', facts } });
    for (const name of ['newPassword', 'newPasswordConfirmation']) type(name, 'a much longer password');
    await submit();
    expect(follow(requireElement('main a'))).toEqual([ada, undefined]);
  });

  test('carries no name to another origin', () => {
    drawRecovery('forgotten-password', { context: { ...context, signInUrl: 'https://boards.example/' } });
    type('userName', ada);
    expect(follow(action('back'))).toEqual([undefined, undefined]);
  });
});
