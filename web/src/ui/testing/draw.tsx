import { act } from 'react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { onTestFinished, vi } from 'vitest';
import type { MessageTree } from '../../i18n/keys.ts';
import { showLanguage } from '../../i18n/current-language.ts';

type Locale = Parameters<typeof showLanguage>[0];

const localeFiles = import.meta.glob<MessageTree>('../../../public/assets/i18n/*.json', {
  eager: true,
  import: 'default',
});

/** The texts that visitors get. */
function requireMessages(locale: Locale): MessageTree {
  const found = Object.entries(localeFiles).find(([path]) => path.includes(`/${locale}-`));
  if (!found) throw new Error(`No locale file for ${locale}`);
  return found[1];
}

/** Draws into the document of the test, in a language with its real texts; gone when the test ends. */
export function draw(content: ReactNode, locale: Locale = 'en'): void {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  showLanguage(locale, requireMessages(locale));
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  act(() => root.render(content));
  onTestFinished(() => {
    act(() => root.unmount());
    container.remove();
    vi.unstubAllGlobals();
  });
}

/** The one element of a selector; throws when there is none. */
export function requireElement<TElement extends HTMLElement = HTMLElement>(selector: string): TElement {
  const found = document.querySelector<TElement>(selector);
  if (!found) throw new Error(`No ${selector} in the document`);
  return found;
}

/** Presses a key where the focus is; says whether its own effect was left to the browser. */
export function press(key: string): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  act(() => {
    document.activeElement?.dispatchEvent(event);
  });
  return !event.defaultPrevented;
}

/** Clicks an element. */
export function click(element: HTMLElement): void {
  act(() => element.click());
}

/** Writes into an input as a browser does: the value as a whole, then the event. */
export function enter(input: HTMLInputElement, value: string): void {
  act(() => {
    // React tells its own writing from the visitor's by the setter on the element itself
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
