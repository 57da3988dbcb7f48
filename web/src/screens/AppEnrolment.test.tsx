// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import { click, draw, requireElement } from '../ui/testing/draw.tsx';
import { AppEnrolment } from './AppEnrolment.tsx';
import { action, findAction, submit } from './testing/page.ts';

const offeredApp = {
  secret: 'JBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Demo%20boards:ada?secret=JBSWY3DPEHPK3PXP',
  recoveryCodes: ['ABCDEFGHIJKLMNOP'],
};

function drawSetUp(isPhone = false): void {
  vi.stubGlobal('matchMedia', () => ({ matches: isPhone }));
  draw(
    <main>
      <AppEnrolment {...offeredApp} why="Why">
        <input name="code-1" />
      </AppEnrolment>
    </main>,
  );
}

/** What is shown of the QR code, the recovery codes and the form for the code. */
const shown = (): string[] =>
  ['svg[role=img]', '[data-recovery-codes]', 'input'].filter((part) => document.querySelector(part));

describe('the set-up of an authenticator app', () => {
  test('shows one step at a time, focuses it, and goes back', () => {
    drawSetUp();
    expect(shown()).toEqual(['svg[role=img]']);
    expect(document.activeElement?.textContent).toMatch(/^1\. Scan/);
    submit();
    expect(shown()).toEqual(['[data-recovery-codes]']);
    expect(document.activeElement?.textContent).toMatch(/^2\. Keep/);
    submit();
    expect(shown()).toEqual(['input']);
    expect(document.activeElement).toBe(requireElement('input'));
    click(action('back'));
    click(action('back'));
    expect(shown()).toEqual(['svg[role=img]']);
    expect(findAction('back')).toBeNull();
  });

  test('on a phone opens the app on this device, and shows the QR code only on demand', () => {
    drawSetUp(true);
    expect(action('open-app').getAttribute('href')).toBe(offeredApp.uri);
    expect(requireElement<HTMLDetailsElement>('details:has(svg[role=img])').open).toBe(false);
    expect(document.querySelector('main')?.textContent).not.toContain('Scan');
  });
});
