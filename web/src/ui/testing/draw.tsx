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

/** The texts of the product. */
export function requireMessages(locale: Locale): MessageTree {
  const found = Object.entries(localeFiles).find(([path]) => path.includes(`/${locale}-`));
  if (!found) throw new Error(`No locale file for ${locale}`);
  return found[1];
}

/** Renders into the test's document, in a language with its real texts. Removes the content at the end of the test. */
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

/** The only element for a selector; throws if there is none. */
export function requireElement<TElement extends HTMLElement = HTMLElement>(selector: string): TElement {
  const found = document.querySelector<TElement>(selector);
  if (!found) throw new Error(`No ${selector} in the document`);
  return found;
}

/** Presses a key on the focused element; returns whether the default action was not prevented. */
export function press(key: string): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  act(() => {
    document.activeElement?.dispatchEvent(event);
  });
  return !event.defaultPrevented;
}

export function click(element: HTMLElement): void {
  act(() => element.click());
}

/** Fills an input like a browser: the whole value, then the event. */
export function enter(input: HTMLInputElement, value: string): void {
  act(() => {
    // React replaces the setter on the element and ignores writes through it, so this uses the prototype's setter.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
