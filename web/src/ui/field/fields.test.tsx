// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { click, draw, requireElement } from '../testing/draw.tsx';
import { PasswordField } from './PasswordField.tsx';
import { TextField } from './TextField.tsx';

const input = (): HTMLInputElement => requireElement<HTMLInputElement>('input');

/** The accessible description of a field. */
const descriptionOf = (field: HTMLElement): string =>
  (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');

describe('a field in error', () => {
  test('is marked as invalid and references its message', () => {
    draw(<TextField label="Site" name="site" autoComplete="off" error="Enter the name of your site." />);
    expect(input().getAttribute('aria-invalid')).toBe('true');
    expect(descriptionOf(input())).toBe('Enter the name of your site.');
  });

  test('keeps the line of its message while there is none', () => {
    draw(<TextField label="Site" name="site" autoComplete="off" error={undefined} />);
    expect(input().getAttribute('aria-invalid')).toBe('false');
    const line = document.getElementById(input().getAttribute('aria-describedby') ?? '');
    expect(line?.isConnected).toBe(true);
    expect(line?.textContent).toBe('');
  });
});

test('input that is too long is accepted whole and not truncated', () => {
  draw(<TextField label="Site" name="site" autoComplete="off" error={undefined} />);
  expect(input().maxLength).toBe(-1);
});

test('the button that shows or hides a password is named after its action, and the state is announced', () => {
  draw(<PasswordField label="Password" name="password" autoComplete="current-password" error={undefined} />);
  const button = requireElement('[data-action=show-password]');
  expect([input().type, button.getAttribute('aria-label')]).toEqual(['password', 'Show password']);
  click(button);
  expect([input().type, button.getAttribute('aria-label')]).toEqual(['text', 'Hide password']);
  expect(requireElement('[aria-live=polite]').textContent).toBe('Your password is shown.');
  click(button);
  expect(input().type).toBe('password');
});
