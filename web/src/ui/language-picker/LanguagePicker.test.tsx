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

/** Drawn, and turned to: the menu has been fetched. */
async function drawPicker(locales: readonly string[] = supportedLocales): Promise<void> {
  draw(<LanguagePicker locales={locales} onChoose={onChoose} />);
  await act(async () => {
    button().focus();
    await import('./LanguageMenu.tsx');
  });
}

describe('the menu button', () => {
  test('says that it has a menu, and whether the menu is open', async () => {
    await drawPicker();
    expect(button().getAttribute('aria-haspopup')).toBe('menu');
    expect(button().getAttribute('aria-expanded')).toBe('false');
    click(button());
    expect(button().getAttribute('aria-expanded')).toBe('true');
    expect(document.getElementById(button().getAttribute('aria-controls') ?? '')?.role).toBe('menu');
    click(button());
    expect(items()).toHaveLength(0);
  });

  test('a click opens at the language that is checked, the arrows at the first and the last', async () => {
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
  test('has every language in its own name and marked as that language, the current one checked', async () => {
    await drawPicker();
    click(button());
    expect(items().map(({ lang }) => lang)).toEqual([...supportedLocales]);
    expect(new Set(items().map(({ textContent }) => textContent)).size).toBe(11);
    expect(
      items()
        .filter((item) => item.getAttribute('aria-checked') === 'true')
        .map(({ lang }) => lang),
    ).toEqual(['en']);
  });

  test('a language that is not supported shows that', async () => {
    await drawPicker(['en', 'tlh']);
    click(button());
    expect(items()[1]?.textContent).toBe('unsupported');
    expect(items()[1]?.lang).toBe('');
  });

  test('arrows go round, Home and End go to the ends, a letter to the next that begins with it', async () => {
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

  test.each(['Enter', ' '])('%j chooses, closes and gives the focus back', async (key) => {
    await drawPicker();
    click(button());
    press('ArrowDown');
    press(key);
    expect(onChoose).toHaveBeenCalledExactlyOnceWith('de');
    expect(items()).toHaveLength(0);
    expect(document.activeElement).toBe(button());
  });

  test('the current language can be chosen and changes nothing', async () => {
    await drawPicker();
    click(button());
    press('Enter');
    expect(onChoose).not.toHaveBeenCalled();
    expect(items()).toHaveLength(0);
  });

  test('Escape closes and gives the focus back; Tab closes and goes its way', async () => {
    await drawPicker();
    click(button());
    press('Escape');
    expect(document.activeElement).toBe(button());
    click(button());
    expect(press('Tab')).toBe(true);
    expect(items()).toHaveLength(0);
  });

  test('a press elsewhere closes', async () => {
    await drawPicker();
    click(button());
    act(() => {
      document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    });
    expect(items()).toHaveLength(0);
  });
});
