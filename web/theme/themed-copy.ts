import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { supportedLocales } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { firstForms } from '@anteroom/contract/first-form';
import { describeBuild } from '../serve/describe-build.ts';
import { compressBeside } from '../vite/precompress.ts';
import { applyColours } from './colours.ts';
import { parseLogo } from './logo.ts';
import type { Logo } from './logo.ts';
import { applyTexts, localePath, showsText } from './texts.ts';
import { parseThemeFile, ThemeError } from './theme-file.ts';
import type { ThemeFile } from './theme-file.ts';

interface Sources {
  /** The path of the theme file. */
  theme: string;
  /** The built front end. */
  build: string;
  version: string;
}

/**
 * Writes a themed copy of the built front end: `files/`, and `manifest.json` for `@anteroom/web/serve`. Returns the
 * languages for which a pre-rendered form (shell) was removed.
 * @throws ThemeError before anything is written, if the theme cannot be applied
 */
export async function writeThemedCopy(
  { theme: themePath, build, version }: Sources,
  out: string,
): Promise<Locale[]> {
  requireReplaceable(out);
  const theme = parseThemeFile(readJson(themePath));
  const logo = readLogo(theme, themePath);
  const { changed, removed } = applyTheme(build, theme, logo);

  const files = join(out, 'files');
  rmSync(files, { recursive: true, force: true });
  await cp(build, files, { recursive: true });
  for (const path of [...removed, ...changed.keys()])
    for (const ending of ['', '.br', '.gz']) rmSync(join(files, `${path}${ending}`), { force: true });
  for (const [path, content] of changed) {
    mkdirSync(dirname(join(files, path)), { recursive: true });
    writeFileSync(join(files, path), content);
    await compressBeside(join(files, path));
  }
  writeFileSync(
    join(out, 'manifest.json'),
    `${JSON.stringify(describeBuild(resolve(files), version), undefined, 2)}\n`,
  );
  return supportedLocales.filter((locale) => shellPaths(locale).some((path) => removed.includes(path)));
}

/** The product name in the built pages (`ui/brand.ts`). */
const builtName = 'Anteroom';

const shellPaths = (locale: Locale): string[] => firstForms.map((form) => `shells/${locale}-${form}.html`);

/** Returns the files with changed content, and the files to remove from the copy. */
function applyTheme(
  build: string,
  theme: ThemeFile,
  logo: Logo | undefined,
): { changed: Map<string, string>; removed: string[] } {
  const read = (path: string): string => readFileSync(join(build, path), 'utf8');
  const changed = new Map<string, string>();
  const removed: string[] = [];
  const texts = new Map(
    globSync('assets/i18n/**/*.json', { cwd: build }).map((path) => [
      path.replaceAll('\\', '/'),
      JSON.parse(read(path)) as Record<string, never>,
    ]),
  );
  for (const locale of supportedLocales) {
    const chosen = theme.texts?.[locale] ?? {};
    const replaced = applyTexts(texts, locale, chosen);
    for (const key of Object.keys(chosen)) {
      const own = localePath(locale, key.split('.')[0]);
      const path = texts.has(own) ? own : localePath(locale);
      changed.set(path, JSON.stringify(texts.get(path)));
    }
    // A shell (the pre-rendered first form) contains the built-in texts. If the theme changes one of them, the shell is
    // removed, and servers send `index.html` instead.
    removed.push(...shellPaths(locale).filter((path) => showsText(read(path), replaced)));
  }
  const noscript = theme.texts?.en?.['noscript.signIn'];
  for (const path of ['index.html', ...supportedLocales.flatMap(shellPaths)])
    if (!removed.includes(path)) changed.set(path, themePage(read(path), theme, { logo, noscript }));
  if (logo) {
    changed.set(logo.path, logo.content);
    changed.set('favicon.svg', logo.content);
  }
  return { changed, removed };
}

function themePage(
  page: string,
  theme: ThemeFile,
  { logo, noscript }: { logo: Logo | undefined; noscript: string | undefined },
): string {
  const withColours = applyColours(page, theme);
  const withNoscript =
    noscript === undefined
      ? withColours
      : replace(withColours, /(?<=<noscript>).*?(?=<\/noscript>)/s, escape(noscript));
  const { productName } = theme;
  if (productName === undefined && !logo) return withNoscript;
  const name = escape(productName ?? builtName);
  const image = logo && { src: `/ui/${logo.path}`, width: logo.width, height: logo.height };
  const draw = (scale: number): string =>
    image
      ? `<img src="${image.src}" width="${image.width * scale}" height="${image.height * scale}" alt="">`
      : '';
  // Read by `ui/brand.ts` in the browser.
  const attributes = [
    ...(productName === undefined ? [] : [`data-product="${name}"`]),
    ...(image ? [`data-logo="${escape(JSON.stringify(image))}"`] : []),
  ];
  const changes: [RegExp, string][] = [
    [/<html(?= )/, `<html ${attributes.join(' ')}`],
    [/(?<=<title>)Anteroom(?=<)/, name],
    [/(?<=<div data-splash>\s*)<svg.*?<\/svg>/s, draw(2)],
    [/(?<=aria-label=")Anteroom(?=")/, name],
  ];
  // The mark and the name in the card's header, and the titles of the shells.
  const shells: [RegExp, string][] = [
    [/<svg class="[^"]*" viewBox="2 2 20 20"[^>]*>(?:(?!<\/svg>).)*<\/svg>Anteroom/g, `${draw(1)}${name}`],
    [/(?<=data-title="[^"]*)Anteroom/g, name],
  ];
  return [...changes, ...(page.includes('data-shell="') ? shells : [])].reduce(
    (themed, [pattern, replacement]) => replace(themed, pattern, replacement),
    withNoscript,
  );
}

function replace(page: string, pattern: RegExp, replacement: string): string {
  if (page.search(pattern) < 0)
    throw new Error(`The theme cannot be applied: the page does not match ${pattern.source}.`);
  return page.replace(pattern, () => replacement);
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function readLogo({ logo }: ThemeFile, themePath: string): Logo | undefined {
  if (logo === undefined) return undefined;
  const path = resolve(dirname(themePath), logo);
  if (!existsSync(path)) throw new ThemeError(`logo: there is no file ${path}. Correct the path.`);
  return parseLogo(readFileSync(path, 'utf8'));
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ThemeError(`${path} cannot be read as JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

/** Throws unless the folder is new, empty or an earlier copy, so that no other files are deleted. */
function requireReplaceable(out: string): void {
  const known = new Set(['files', 'manifest.json']);
  if (existsSync(out) && readdirSync(out).some((name) => !known.has(name)))
    throw new ThemeError(`${out} has other files. Choose a new folder, or that of an earlier copy.`);
}
