import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyColours } from './colours.ts';
import { parseLogo } from './logo.ts';
import { applyTexts, localePath, showsText } from './texts.ts';
import { parseThemeFile } from './theme-file.ts';

const web = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(web, path), 'utf8');

describe('the theme file', () => {
  test.each([
    [{ colors: {} }, 'colors: there is no such member. Check the spelling, or remove it.'],
    [{ colours: { blue: {} } }, 'colours.blue: there is no such member.'],
    [{ colours: { light: { accent: 5 } } }, 'colours.light.accent: must be string, not 5.'],
    [{ texts: { xx: {} } }, 'texts.xx: there is no such member.'],
    [{ texts: { en: { 'login.signIn': null } } }, 'texts.en.login.signIn: must be string, not null.'],
    [{ productName: ' ' }, 'productName: must not be empty.'],
    [{ productName: 'Harbor\u202e' }, 'productName: must not contain control characters.'],
    [{ productName: 'x'.repeat(51) }, 'productName: must have at most 50 characters.'],
    ['theme', 'the theme file: must be Object, not "theme".'],
  ])('%j is refused with the name of the wrong member', (file, message) => {
    expect(() => parseThemeFile(file)).toThrow(message);
  });
});

describe('the colours of a theme', () => {
  /** The styles as the build writes them. */
  const styles = read('src/ui/tokens.css')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s*([{};:])\s*/g, '$1')
    .replaceAll(';}', '}')
    .trim();
  const page = `<meta name="theme-color" content="#f4f1ea" media="(prefers-color-scheme: light)" /><style>${styles}</style>`;
  const valuesOf = (scheme: 'light' | 'dark', text = page): Record<string, string> => {
    const [light = '', dark = ''] = text.split('@media screen and (prefers-color-scheme:dark)');
    const rule = scheme === 'light' ? light : dark.slice(0, dark.indexOf('}'));
    return Object.fromEntries(
      [...rule.matchAll(/--([\w-]+):(#\w+)/g)].map(([, name = '', value = '']) => [
        name,
        value.length === 4 ? value.replaceAll(/[0-9a-f]/g, '$&$&') : value,
      ]),
    );
  };

  test('replace the colours of their scheme, and that of the browser around the page', () => {
    const light = { accent: '#5b2a86', 'accent-strong': '#43206b', paper: '#f0f0ff' };
    const themed = applyColours(page, { colours: { light, dark: { accent: '#c9a7eb' } } });
    expect(valuesOf('light', themed)).toEqual({ ...valuesOf('light'), ...light });
    expect(valuesOf('dark', themed)).toEqual({ ...valuesOf('dark'), accent: '#c9a7eb' });
    expect(themed).toContain('content="#f0f0ff" media="(prefers-color-scheme: light)"');
  });

  test.each(['light', 'dark'] as const)('the %s colours of the build have enough contrast', (scheme) => {
    expect(() => applyColours(page, { colours: { [scheme]: valuesOf(scheme) } })).not.toThrow();
  });

  test.each([
    [{ light: { acent: '#000000' } }, /^colours\.light\.acent: there is no such colour\. Use one of paper, /],
    [{ light: { 'space-1': '#000000' } }, /^colours\.light\.space-1: there is no such colour/],
    [{ dark: { accent: 'red' } }, /^colours\.dark\.accent: "red" is no colour\. Write it as #rrggbb\.$/],
    [{ light: { accent: '#000000;}body{display:none' } }, /is no colour/],
    [{ light: { accent: 'url(https://evil.example)' } }, /is no colour/],
    [
      { light: { 'ink-soft': '#bbbbbb' } },
      /^colours\.light\.ink-soft: #bbbbbb on paper \(#f4f1ea\) has a contrast of 1\.7:1 and needs 4\.5:1\. Choose another ink-soft or paper\.$/,
    ],
    [
      { dark: { surface: '#ffffff' } },
      /^colours\.dark\.ink: #eef0f4 on surface \(#ffffff\) has a contrast of/,
    ],
    [{ light: { 'line-strong': '#cccccc' } }, /needs 3:1/],
  ])('%j is refused with its name and what to do', (colours, message) => {
    expect(() => applyColours(page, { colours })).toThrow(message);
  });
});

describe('the texts of a theme', () => {
  const path = localePath('en');
  const files = (): Map<string, { login: { signIn: string } }> =>
    new Map([[path, JSON.parse(read(`public/${path}`)) as { login: { signIn: string } }]]);

  test('replace texts by key, also a single plural form', () => {
    const all = files();
    const replaced = applyTexts(all, 'en', {
      'login.signIn': 'Enter',
      'site.errors.siteTooLong.one': 'Only {{count}} character.',
    });
    expect(all.get(path)?.login.signIn).toBe('Enter');
    expect(replaced).toEqual(['Sign in', 'Enter at most {{count}} character.']);
  });

  test.each([
    ['login.signin', 'Enter', `texts.en.login.signin: there is no such text. ${path} has the keys.`],
    ['__proto__.signIn', 'Enter', 'texts.en.__proto__.signIn: there is no such text.'],
    ['login.signIn.label', 'Enter', 'texts.en.login.signIn.label: there is no such text.'],
    ['password', 'Word', 'texts.en.password: is a group. Name one of password.show, '],
    ['login.signIn', ' ', 'texts.en.login.signIn: is empty.'],
    [
      'login.headingWithSite',
      'Enter {{organisation}}',
      'texts.en.login.headingWithSite: must contain {{site}}, as the original does: "Sign in to {{site}}".',
    ],
    ['login.signIn', 'Enter {{site}}', 'texts.en.login.signIn: must contain no placeholder'],
  ])('%s: %j is refused with the key and what to do', (key, text, message) => {
    expect(() => applyTexts(files(), 'en', { [key]: text })).toThrow(message);
  });

  test('a page shows a text if it has a piece of it between placeholders', () => {
    const page = '<h2>Sign in to <bdi>harbor</bdi></h2><p>L&#x27;acc&amp;s &lt;1&gt;</p>';
    expect(showsText(page, ['Sign in to {{site}}'])).toBe(true);
    expect(showsText(page, ["L'acc&s <1>"])).toBe(true);
    expect(showsText(page, ['Enter {{site}}', '{{site}} {{count}}'])).toBe(false);
  });
});

describe('the logo of a theme', () => {
  test.each([
    ['<svg viewBox="0 0 96 32"/>', { width: 96, height: 32 }],
    ['<?xml version="1.0"?>\n<!-- © -->\n<svg width="100px" height="10"/>', { width: 128, height: 13 }],
    ["<svg viewBox='0, 0, 20, 40'><use href='#a'/></svg>", { width: 16, height: 32 }],
  ])('%s fits into the header of the card', (content, size) => {
    expect(parseLogo(content)).toMatchObject({
      ...size,
      path: expect.stringMatching(/^assets\/app\/logo-[0-9a-f]{8}\.svg$/),
    });
  });

  test.each([
    ['PNG', 'the file is no SVG image'],
    ['<svg/>', 'the svg element has no viewBox'],
    ['<svg viewBox="0 0 0 0"/>', 'the svg element has no viewBox'],
    ['<svg viewBox="0 0 1 1"><script>alert(1)</script></svg>', 'the file contains <script'],
    ['<svg viewBox="0 0 1 1" onload="alert(1)"/>', 'the file contains onload='],
    ['<svg viewBox="0 0 1 1"><image href="https://evil.example/"/></svg>', 'the file contains href="'],
    ['<svg viewBox="0 0 1 1"><path fill="url(https://evil.example/)"/></svg>', 'the file contains url('],
    [`<svg viewBox="0 0 1 1">${' '.repeat(20_000)}</svg>`, 'the file has more than 20000 bytes'],
  ])('%.60s is refused', (content, message) => {
    expect(() => parseLogo(content)).toThrow(`logo: ${message}`);
  });
});
