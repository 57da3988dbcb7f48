// @vitest-environment happy-dom
import { act, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { draw, enter, press, requireElement } from '../testing/draw.tsx';
import { CodeBoxes } from './CodeBoxes.tsx';

const onErrorRead = vi.fn<() => void>();

function Form({ isRefused = false }: { isRefused?: boolean }): React.ReactNode {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const refuse = (): void => {
    setCode('');
    setError('This code is not right.');
  };
  return (
    <>
      <CodeBoxes
        label="Code"
        length={6}
        code={code}
        onChange={setCode}
        error={error}
        onErrorRead={onErrorRead}
      />
      {isRefused && (
        <button type="button" onClick={refuse}>
          Refuse
        </button>
      )}
    </>
  );
}

const box = (number: number): HTMLInputElement => requireElement<HTMLInputElement>(`[name=code-${number}]`);
const all = (): HTMLInputElement[] => [1, 2, 3, 4, 5, 6].map(box);
const values = (): string =>
  all()
    .map(({ value }) => value || '.')
    .join('');
const enabled = (): number => all().filter(({ disabled }) => !disabled).length;
const focused = (): string | null | undefined => document.activeElement?.getAttribute('name');

test('at first only the first box is enabled, and it takes the code from a text message [2.50, WCAG 1.3.5, 3.3.8]', () => {
  draw(<Form />);
  expect(enabled()).toBe(1);
  expect(box(1).autocomplete).toBe('one-time-code');
  expect(box(1).maxLength).toBe(-1);
  enter(box(1), '471234');
  expect(values()).toBe('471234');
});

test('a digit enables and focuses the next box [2.51, WCAG 3.2.2]', () => {
  draw(<Form />);
  act(() => box(1).focus());
  enter(box(1), '4');
  expect([values(), enabled(), focused()]).toEqual(['4.....', 2, 'code-2']);
});

test('a press on a box that is not enabled yet reaches the label of the next one', () => {
  draw(<Form />);
  const label = requireElement<HTMLLabelElement>('[dir] > label');
  expect(label.control).toBe(box(1));
  enter(box(1), '47');
  expect(label.control).toBe(box(3));
});

test('Backspace clears the last filled box and focuses it [2.52, WCAG 3.2.2]', () => {
  draw(<Form />);
  enter(box(1), '471');
  act(() => box(1).focus());
  press('Backspace');
  expect([values(), enabled(), focused()]).toEqual(['47....', 3, 'code-3']);
});

test('arrow keys move between boxes in the direction of the digits, also in a right-to-left language [2.53]', () => {
  draw(<Form />, 'ar');
  enter(box(1), '471');
  press('ArrowLeft');
  expect(focused()).toBe('code-3');
  press('ArrowRight');
  expect(focused()).toBe('code-4');
  expect(box(1).closest('[dir]')?.getAttribute('dir')).toBe('ltr');
});

test('a rejected code leaves only the first box enabled, focused and marked, with the message', () => {
  draw(<Form isRefused />);
  enter(box(1), '471234');
  act(() => requireElement('button').click());
  expect([values(), enabled(), focused()]).toEqual(['......', 1, 'code-1']);
  expect(box(1).getAttribute('aria-invalid')).toBe('true');
  const message = box(1).getAttribute('aria-describedby');
  expect(document.getElementById(message ?? '')?.textContent).toBe('This code is not right.');
});

test('Enter and digits report that an error was read; other keys do not', () => {
  draw(<Form />);
  act(() => box(1).focus());
  onErrorRead.mockClear();
  press('Shift');
  press('a');
  expect(onErrorRead).not.toHaveBeenCalled();
  press('7');
  press('٧');
  press('７');
  press('Enter');
  expect(onErrorRead).toHaveBeenCalledTimes(4);
});

test('a digit without a named key, as from a keyboard on a screen, reports that an error was read', () => {
  draw(<Form />);
  act(() => box(1).focus());
  onErrorRead.mockClear();
  press('Unidentified');
  expect(onErrorRead).not.toHaveBeenCalled();
  enter(box(1), '7');
  expect(onErrorRead).toHaveBeenCalledOnce();
});

test('shortcuts with a modifier key are not handled [WCAG 2.1.4]', () => {
  draw(<Form />);
  act(() => box(1).focus());
  const event = new KeyboardEvent('keydown', {
    key: 'ArrowLeft',
    altKey: true,
    bubbles: true,
    cancelable: true,
  });
  act(() => {
    box(1).dispatchEvent(event);
  });
  expect(event.defaultPrevented).toBe(false);
});
