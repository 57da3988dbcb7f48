// @vitest-environment happy-dom
import { act, useState } from 'react';
import type { ReactNode } from 'react';
import { describe, expect, test } from 'vitest';
import { click, draw, requireElement } from '../testing/draw.tsx';
import { Form } from '../form/Form.tsx';
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
  test('is marked as invalid and references its message [WCAG 1.3.1, 1.4.1, 3.3.1]', () => {
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

test('an error disappears when its value changes, and returns with the next submission', () => {
  draw(
    <Form onSubmit={() => {}}>
      <TextField label="Site" name="site" autoComplete="off" error="Enter the name of your site." />
    </Form>,
  );
  const type = (): void => act(() => void input().dispatchEvent(new InputEvent('input', { bubbles: true })));
  const submit = (): void => act(() => requireElement<HTMLFormElement>('form').requestSubmit());
  const isInvalid = (): string | null => input().getAttribute('aria-invalid');
  submit();
  expect(isInvalid()).toBe('true');
  type();
  expect([isInvalid(), descriptionOf(input())]).toEqual(['false', '']);
  submit();
  expect([isInvalid(), descriptionOf(input())]).toEqual(['true', 'Enter the name of your site.']);
});

test('an error that arrives while a value is typed is shown', () => {
  function Field(): ReactNode {
    const [error, setError] = useState<string>();
    return (
      <>
        <TextField label="Site" name="site" autoComplete="off" error={error} />
        <button type="button" onClick={() => setError('Unknown site name.')}>
          Refuse
        </button>
      </>
    );
  }
  draw(<Field />);
  act(() => void input().dispatchEvent(new InputEvent('input', { bubbles: true })));
  click(requireElement('button'));
  expect(input().getAttribute('aria-invalid')).toBe('true');
});

test('input that is too long is accepted whole and not truncated', () => {
  draw(<TextField label="Site" name="site" autoComplete="off" error={undefined} />);
  expect(input().maxLength).toBe(-1);
});

test('the button that shows or hides a password is named after its action, and the state is announced [2.33, WCAG 3.3.8]', () => {
  draw(<PasswordField label="Password" name="password" autoComplete="current-password" error={undefined} />);
  const button = requireElement('[data-action=show-password]');
  expect([input().type, button.getAttribute('aria-label')]).toEqual(['password', 'Show password']);
  click(button);
  expect([input().type, button.getAttribute('aria-label')]).toEqual(['text', 'Hide password']);
  expect(requireElement('[aria-live=polite]').textContent).toBe('Your password is shown.');
  click(button);
  expect(input().type).toBe('password');
});

describe('Caps Lock at a password', () => {
  const press = (type: 'keydown' | 'keyup', isOn: boolean): void => {
    const event = new KeyboardEvent(type, { key: 'a', bubbles: true });
    act(() => void input().dispatchEvent(Object.assign(event, { getModifierState: () => isOn })));
  };
  const drawPassword = (error?: string): void =>
    draw(
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        error={error}
        isFormError
      />,
    );
  const announced = (): string => requireElement('[aria-live=polite]').textContent;

  test('is stated in the line of the message and announced politely, until it is off or the field is left [WCAG 3.3.2, 4.1.3]', () => {
    drawPassword();
    press('keydown', true);
    expect([descriptionOf(input()), announced()]).toEqual(['Caps Lock is on.', 'Caps Lock is on.']);
    press('keyup', false);
    expect([descriptionOf(input()), announced()]).toEqual(['', '']);
    press('keydown', true);
    act(() => {
      input().focus();
      input().blur();
    });
    expect(descriptionOf(input())).toBe('');
  });

  test('replaces an error, which returns afterwards, so that nothing moves', () => {
    drawPassword('User name or password is incorrect.');
    press('keydown', true);
    expect([descriptionOf(input()), input().getAttribute('aria-invalid')]).toEqual([
      'Caps Lock is on.',
      'true',
    ]);
    press('keydown', false);
    expect(descriptionOf(input())).toBe('User name or password is incorrect.');
  });
});
