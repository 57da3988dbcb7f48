// @vitest-environment happy-dom
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { holdMessagesWhilePressed, ignoreStraySecondClicks } from './late-start.ts';

const pressed: string[] = [];
const listening = new AbortController();
const { signal } = listening;

beforeAll(() => {
  ignoreStraySecondClicks(signal);
  holdMessagesWhilePressed(signal);
  const write = ({ target }: Event): void => {
    if (target instanceof Element) pressed.push(target.tagName.toLowerCase());
  };
  document.body.addEventListener('click', write, { signal });
});
afterAll(() => {
  listening.abort();
  document.body.innerHTML = '';
});
beforeEach(() => {
  pressed.length = 0;
  document.body.innerHTML = '<button></button><a href="#"></a><label><input type=checkbox></label>';
});

/** Dispatches a click. `detail` is the browser's click count at its position; 0: by keyboard. */
function click(selector: string, detail: number): MouseEvent {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, detail });
  document.querySelector(selector)?.dispatchEvent(event);
  return event;
}

test('the second click of a double-click does not activate another control that has appeared under the pointer', () => {
  click('button', 1);
  expect(click('a', 2).defaultPrevented).toBe(true);
  expect(pressed).toEqual(['button']);
  expect(click('a', 1).defaultPrevented).toBe(false);
  expect(pressed).toEqual(['button', 'a']);
});

test.each([
  ['the same control', 'button', 'button', 2],
  ['the field of the same label', 'label', 'input', 2],
  ['another control by keyboard', 'button', 'a', 0],
  ['another control by a separate click', 'button', 'a', 1],
])('reaches %s', (_, first, second, detail) => {
  click(first, 1);
  expect(click(second, detail).defaultPrevented).toBe(false);
});

test('a click after a typed key reaches another control that has scrolled under the pointer', () => {
  click('input', 1);
  document.querySelector('input')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }));
  expect(click('button', 2).defaultPrevented).toBe(false);
});

test('a message keeps its height while a pointer is down and for 500 ms afterwards', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  document.body.innerHTML = '<main><div data-room=""></div></main>';
  const { style } = document.querySelector<HTMLElement>('[data-room]') as HTMLElement;
  const point = (type: string): boolean => document.body.dispatchEvent(new Event(type, { bubbles: true }));
  point('pointerdown');
  vi.advanceTimersByTime(2000);
  expect([style.blockSize, style.overflow]).toEqual(['0px', 'clip']);
  point('pointerup');
  vi.advanceTimersByTime(499);
  style.blockSize = '1px';
  point('pointerdown');
  expect(style.blockSize).toBe('1px');
  point('pointerup');
  vi.advanceTimersByTime(499);
  expect(style.blockSize).toBe('1px');
  vi.advanceTimersByTime(1);
  expect([style.blockSize, style.overflow]).toEqual(['', '']);
});
