import { act } from 'react';
import { requireElement } from '../../ui/testing/draw.tsx';

/** The value of `<main data-step>`. */
export const step = (): string | undefined => requireElement('main').dataset['step'];

export const field = (name: string): HTMLInputElement =>
  requireElement<HTMLInputElement>(`main input[name="${name}"]`);

export const findAction = (name: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-action="${name}"]`);

export const action = (name: string): HTMLElement => requireElement(`[data-action="${name}"]`);

export const heading = (): string => requireElement('main :is(h1, h2)').textContent;

/** The text in all elements with `role=alert`. */
export const alerts = (): string =>
  [...document.querySelectorAll('[role=alert]')]
    .map((place) => place.textContent)
    .join(' ')
    .trim();

/** Whether a field is marked as invalid, and the text of its description. */
export function fieldError(name: string): { isInvalid: boolean; words: string } {
  const input = field(name);
  const ids = (input.getAttribute('aria-describedby') ?? '').split(' ');
  return {
    isInvalid: input.getAttribute('aria-invalid') === 'true',
    words: ids
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ')
      .trim(),
  };
}

/** Types into an uncontrolled field, so React needs no event. */
export function type(name: string, value: string): void {
  field(name).value = value;
}

/** Presses the submit button of the page. */
export function submit(): void {
  act(() => requireElement<HTMLButtonElement>('main button[type=submit]').click());
}

export const focusedName = (): string | undefined =>
  document.activeElement?.getAttribute('name') ?? document.activeElement?.tagName;
