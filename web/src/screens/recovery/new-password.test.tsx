// @vitest-environment happy-dom
import { act } from 'react';
import { describe, expect, test } from 'vitest';
import { enter, requireElement } from '../../ui/testing/draw.tsx';
import type { PasswordLink } from './recovery-visit.ts';
import { drawRecovery } from './testing.tsx';

const link: PasswordLink = {
  state: 'open',
  token: 'a-token',
  facts: {
    userName: 'ada@demo.example',
    passwordPolicy: { policyLines: [{ line: 'minimumLength' }, { line: 'notBreached' }], minimumLength: 15 },
  },
};

const field = (name: string): HTMLInputElement => requireElement(`input[name="${name}"]`);
const heading = (): string => requireElement('main h2').textContent;
const describedBy = (input: HTMLInputElement): string =>
  (input.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ');

function enterBoth(newPassword: string, newPasswordConfirmation = newPassword): void {
  enter(field('newPassword'), newPassword);
  enter(field('newPasswordConfirmation'), newPasswordConfirmation);
}

describe('a recovery link', () => {
  test('shows the user name and the rules, with the focus in the first field', () => {
    drawRecovery('new-password', { link });
    expect(requireElement('main').dataset['step']).toBe('new-password');
    expect(field('userName').readOnly).toBe(true);
    expect(field('userName').value).toBe('ada@demo.example');
    expect(document.activeElement).toBe(field('newPassword'));
    expect(describedBy(field('newPassword'))).toContain('At least 15 characters');
    for (const name of ['newPassword', 'newPasswordConfirmation'])
      expect(field(name).autocomplete).toBe('new-password');
  });

  test('the token is nowhere in the page', () => {
    drawRecovery('new-password', { link });
    expect(document.documentElement.outerHTML).not.toContain('a-token');
  });

  test('an empty field has a message, and nothing is sent', async () => {
    const { sent, submit } = drawRecovery('new-password', { link });
    enter(field('newPassword'), 'something');
    await submit();
    expect(sent).toEqual([]);
    expect(document.activeElement).toBe(field('newPasswordConfirmation'));
    expect(describedBy(field('newPasswordConfirmation'))).toContain('Confirm the new password.');
  });

  test('a saved password leads to the sign-in and signs no one in', async () => {
    const signInUrl = 'https://boards.example/';
    const { sent, submit } = drawRecovery('new-password', {
      link,
      context: { linkValidityInMinutes: 30, loginFlowCustomizations: undefined, signInUrl },
    });
    enterBoth('a much longer password');
    await submit();
    expect(sent).toEqual([
      {
        name: 'setNewPassword',
        body: {
          token: 'a-token',
          newPassword: 'a much longer password',
          newPasswordConfirmation: 'a much longer password',
        },
      },
    ]);
    expect(heading()).toBe('Your password has been changed');
    expect(document.title).toBe('Your password has been changed · Anteroom');
    expect(document.activeElement?.textContent).toBe(heading());
    expect(requireElement<HTMLAnchorElement>('main a').href).toBe(signInUrl);
    expect(requireElement('main [data-user-name]').textContent).toBe('ada@demo.example');
    expect(document.querySelector('input')).toBeNull();
  });

  test('a saved password leads to the start page if no application is known', async () => {
    const homeUri = 'https://boards.example/home';
    const { submit } = drawRecovery('new-password', { link, config: { homeUri } });
    enterBoth('a much longer password');
    await submit();
    const { href, textContent } = requireElement<HTMLAnchorElement>('main a');
    expect([href, textContent]).toEqual([homeUri, 'Go to your boards']);
  });

  test('a violated rule is shown in the service’s text, rendered as text, and the fields are cleared', async () => {
    const { failNext, submit } = drawRecovery('new-password', { link });
    enterBoth('password');
    failNext({
      kind: 'handled',
      status: 400,
      code: 'invalid_new_password',
      description: 'This password is too short. Use at least 15 characters.',
      policyLine: 'minimumLength',
    });
    await submit();
    expect(requireElement('[data-policy-line=minimumLength]').dataset['met']).toBe('false');
    expect(field('newPassword').getAttribute('aria-invalid')).toBe('true');
    expect(describedBy(field('newPassword'))).toContain(
      'This password is too short. Use at least 15 characters.',
    );
    // The reason is not repeated in the alert of the form.
    expect(requireElement('main [role="alert"]').childElementCount).toBe(0);
    expect([field('newPassword').value, field('newPasswordConfirmation').value]).toEqual(['', '']);
    expect(document.activeElement).toBe(field('newPassword'));
  });

  test('a mismatch is shown at the second field', async () => {
    const { failNext, submit } = drawRecovery('new-password', { link });
    enterBoth('one password', 'another password');
    failNext({ kind: 'handled', status: 400, code: 'passwords_do_not_match' });
    await submit();
    expect(describedBy(field('newPasswordConfirmation'))).toContain('The new passwords do not match.');
    expect(document.activeElement).toBe(field('newPassword'));
  });

  test('without an answer both passwords stay as typed', async () => {
    const { failNext, submit } = drawRecovery('new-password', { link });
    enterBoth('a much longer password');
    failNext({ kind: 'unreachable' });
    await submit();
    expect([field('newPassword').value, field('newPasswordConfirmation').value]).toEqual([
      'a much longer password',
      'a much longer password',
    ]);
  });

  test('a link that has become invalid offers a new link', async () => {
    const { failNext, submit } = drawRecovery('new-password', { link });
    enterBoth('a much longer password');
    failNext({ kind: 'handled', status: 400, code: 'recovery_link_invalid' });
    await submit();
    expect(heading()).toBe('This link is no longer valid');
    expect(document.querySelector('input')).toBeNull();
  });

  test('an expired invitation says who can send a new invitation', () => {
    drawRecovery('new-password', { link: { state: 'invalid' }, isInvitation: true });
    expect(heading()).toBe('This invitation is no longer valid');
    expect(requireElement('main').textContent).toContain('Your board office can send you a new invitation');
    expect(new URL(requireElement<HTMLAnchorElement>('main a').href).pathname).toBe(
      '/ui/recovery/forgotten-password',
    );
  });

  test.each([
    [{ state: 'invalid' }, 'This link is no longer valid'],
    [{ state: 'missing' }, 'Open the link again'],
  ] as const)('%o has the focus on its heading and a link to request a new link', (state, words) => {
    const referer = { refererClientId: 'director', refererRedirectUri: undefined };
    drawRecovery('new-password', { link: state, referer });
    expect(heading()).toBe(words);
    expect(document.activeElement?.textContent).toBe(words);
    const { pathname, searchParams } = new URL(requireElement<HTMLAnchorElement>('main a').href);
    expect(pathname).toBe('/ui/recovery/forgotten-password');
    expect(Object.fromEntries(searchParams)).toEqual({
      culture: 'en',
      refererClientId: 'director',
    });
  });

  test('if the service could not check the link, it checks the link with the password', async () => {
    const { sent, submit } = drawRecovery('new-password', { link: { ...link, facts: undefined } });
    expect(document.querySelector('input[name="userName"]')).toBeNull();
    enterBoth('a much longer password');
    await submit();
    expect(sent).toHaveLength(1);
  });

  test('a page from the back/forward cache shows no password', () => {
    drawRecovery('new-password', { link });
    enterBoth('a much longer password');
    act(() => {
      const shown = new Event('pageshow');
      Object.defineProperty(shown, 'persisted', { value: true });
      window.dispatchEvent(shown);
    });
    expect([field('newPassword').value, field('newPasswordConfirmation').value]).toEqual(['', '']);
  });
});
