import { toAsciiDigits } from '@anteroom/contract/typed-text';

/**
 * The logic of the code boxes (specification, point 2, "Second-factor page"), without rendering. A code is the string
 * of its digits so far: box n has digit n, so there are no gaps, and a box is enabled if it is filled or the next to
 * fill.
 */
export interface CodeEdit {
  code: string;
  /** The box with the focus afterwards, zero-based. */
  focus: number;
}

/** The number of enabled boxes: the filled ones and the next. */
export function countEnabledBoxes(code: string, length: number): number {
  return Math.min(code.length + 1, length);
}

/** Handles input into a box whose value is now `text`. Returns undefined if `text` contains no digit. */
export function enterText(code: string, box: number, text: string, length: number): CodeEdit | undefined {
  const digits = toDigits(text);
  if (digits === '') return text === '' ? eraseLast(code) : undefined;
  const before = code.charAt(box);
  // A key in a filled box gives two characters, with the old digit before or after the new one.
  if (before !== '' && digits.length === 2 && digits.includes(before)) {
    return replaceDigit(code, box, digits.replace(before, ''), length);
  }
  return digits.length === 1
    ? replaceDigit(code, box, digits, length)
    : enterDigits(code, box, digits, length);
}

/** Handles a paste. Ignores non-digits. A whole code fills all boxes; fewer digits are inserted from `box` on. */
export function pasteText(code: string, box: number, text: string, length: number): CodeEdit | undefined {
  const digits = toDigits(text);
  return digits === '' ? undefined : enterDigits(code, box, digits, length);
}

/** Backspace: clears and focuses the last filled box, whichever box had the focus. */
export function eraseLast(code: string): CodeEdit {
  const shorter = code.slice(0, -1);
  return { code: shorter, focus: shorter.length };
}

/**
 * The box to which an arrow key moves. Digits run from left to right in every language, so the keys are physical.
 * Disabled boxes are skipped.
 */
export function moveFocus(
  key: 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End',
  box: number,
  code: string,
  length: number,
): number {
  const last = countEnabledBoxes(code, length) - 1;
  const targets = { ArrowLeft: box - 1, ArrowRight: box + 1, Home: 0, End: last };
  return Math.max(0, Math.min(targets[key], last));
}

function replaceDigit(code: string, box: number, digit: string, length: number): CodeEdit {
  return {
    code: `${code.slice(0, box)}${digit}${code.slice(box + 1)}`,
    focus: Math.min(box + 1, length - 1),
  };
}

function enterDigits(code: string, box: number, digits: string, length: number): CodeEdit {
  const start = digits.length >= length ? 0 : box;
  const entered = `${code.slice(0, start)}${digits}`.slice(0, length);
  return { code: entered, focus: Math.min(entered.length, length - 1) };
}

/** Whether a key enters a digit. */
export function isDigit(key: string): boolean {
  return key.length === 1 && toDigits(key) !== '';
}

/** The decimal digits of a text in ASCII, without other characters. */
function toDigits(text: string): string {
  return toAsciiDigits(text).replaceAll(/\D/g, '');
}
