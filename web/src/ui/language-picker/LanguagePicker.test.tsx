// @vitest-environment happy-dom
import { supportedLocales } from '@anteroom/contract';
import { act } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { click, draw, press, requireElement } from '../testing/draw.tsx';
import { LanguagePicker } from './LanguagePicker.tsx';

const onChoose = vi.fn<(locale: string) => void>();
const button = (): HTMLElement => requireElement('[data-action=language]');
const items = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[role=menuitemradio]')];
const focused = (): string | undefined => document.activeElement?.textContent;

beforeEach(() => onChoose.mockClear());

/** Renders the picker and focuses its button once the menu's chunk has loaded. */
async function drawPicker(locales: readonly string[] = supportedLocales): Promise<void> {
  draw(<LanguagePicker locales={locales} onChoose={onChoose} />);
  await act(async () => {
    button().focus();
    await import('./LanguageMenu.tsx');
  });
}

describe('the menu button', () => {
  test('states that it has a menu and whether the menu is open [WCAG 4.1.2]', async () => {
    await drawPicker();
    expect(button().getAttribute('aria-haspopup')).toBe('menu');
    expect(button().getAttribute('aria-expanded')).toBe('false');
    click(button());
    expect(button().getAttribute('aria-expanded')).toBe('true');
    expect(document.getElementById(button().getAttribute('aria-controls') ?? '')?.role).toBe('menu');
    click(button());
    expect(items()).toHaveLength(0);
  });

  test('a click opens the menu at the current language, arrow keys at the first or last', async () => {
    await drawPicker();
    click(button());
    expect(focused()).toBe('English');
    press('Escape');
    press('ArrowUp');
    expect(focused()).toBe('עברית');
    press('Escape');
    press('ArrowDown');
    expect(focused()).toBe('English');
  });
});

describe('the menu', () => {
  test('lists every language by its own name and with its lang attribute, and checks the current language [2.29, WCAG 3.1.2]', async () => {
    await drawPicker();
    click(button());
    expect(items().map(({ lang }) => lang)).toEqual([...supportedLocales]);
    expect(new Set(items().map(({ textContent }) => textContent)).size).toBe(supportedLocales.length);
    expect(
      items()
        .filter((item) => item.getAttribute('aria-checked') === 'true')
        .map(({ lang }) => lang),
    ).toEqual(['en']);
  });

  test('an unsupported language is labelled as such [2.30]', async () => {
    await drawPicker(['en', 'tlh']);
    click(button());
    expect(items()[1]?.textContent).toBe('unsupported');
    expect(items()[1]?.lang).toBe('');
  });

  test('arrow keys wrap around, Home and End go to the ends, and a letter goes to the next match', async () => {
    await drawPicker();
    click(button());
    press('ArrowUp');
    expect(focused()).toBe('עברית');
    press('ArrowDown');
    expect(focused()).toBe('English');
    press('End');
    expect(focused()).toBe('עברית');
    press('Home');
    press('n');
    expect(focused()).toBe('Nederlands');
    press('日');
    expect(focused()).toBe('日本語');
  });

  test.each(['Enter', ' '])('%j selects, closes the menu and returns the focus', async (key) => {
    await drawPicker();
    click(button());
    press('ArrowDown');
    press(key);
    expect(onChoose).toHaveBeenCalledExactlyOnceWith('de');
    expect(items()).toHaveLength(0);
    expect(document.activeElement).toBe(button());
  });

  test('selecting the current language changes nothing', async () => {
    await drawPicker();
    click(button());
    press('Enter');
    expect(onChoose).not.toHaveBeenCalled();
    expect(items()).toHaveLength(0);
  });

  test('Escape closes the menu and returns the focus; Tab closes it and moves on [WCAG 2.1.2]', async () => {
    await drawPicker();
    click(button());
    press('Escape');
    expect(document.activeElement).toBe(button());
    click(button());
    expect(press('Tab')).toBe(true);
    expect(items()).toHaveLength(0);
  });

  test('a press outside closes the menu [WCAG 2.5.2]', async () => {
    await drawPicker();
    click(button());
    act(() => {
      document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    });
    expect(items()).toHaveLength(0);
  });
});
