// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { draw, requireElement } from '../testing/draw.tsx';
import { SubmitButton } from './Button.tsx';

test('a pending button keeps its label and focus and is announced as busy', () => {
  draw(<SubmitButton isPending>Sign in</SubmitButton>);
  const button = requireElement<HTMLButtonElement>('button[type=submit]');
  button.focus();
  expect(button.disabled).toBe(false);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(document.activeElement).toBe(button);
  expect(button.textContent).toBe('Sign in One moment, please');
});

test('an idle button has no busy state', () => {
  draw(<SubmitButton isPending={false}>Sign in</SubmitButton>);
  expect(requireElement('button').hasAttribute('aria-disabled')).toBe(false);
  expect(requireElement('button').textContent).toBe('Sign in');
});
