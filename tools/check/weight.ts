import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { localeFileVersion, supportedLocales } from '../../contract/src/limits.ts';
import { buildFrontEndWhenStale, distFolder } from '../front-end.ts';
import type { StageResult } from '../stage.ts';

/** The budgets of docs/architecture.md, in bytes of brotli at its best setting; a kB is 1000 bytes. */
const budget = { signInBytes: 91_500, signInFiles: 8, htmlBytes: 14_000, languageBytes: 25_000 };

const brotliBytes = (content: Buffer): number =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).byteLength;

/** The files that `text` names, as paths from the folder of the build. */
function namedBy(text: string, patterns: readonly RegExp[], folder: string): string[] {
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''))
    .map((name) => (name.startsWith('/ui/') ? name.slice('/ui/'.length) : posix.join(folder, name)))
    .filter((name) => existsSync(join(distFolder, name)));
}

/** What the HTML loads by itself: scripts, their preloads, styles. */
const inHtml = [
  /<script[^>]+src="([^"]+)"/g,
  /<link[^>]+rel="(?:modulepreload|stylesheet|preload)"[^>]*href="([^"]+)"/g,
];
/** What a module loads as soon as it is there. */
const inModule = [
  /(?:^|[;}\s])import\s*(?:[^'"()]*?from\s*)?["']([^"']+)["']/g,
  /\bfrom\s*["']([^"']+)["']/g,
];

/**
 * Every file that the sign-in screen needs in English before it can be used, read from the build without a browser:
 * the page, what it names, what those import at once, the English words, and the configuration.
 * `npm run bench weight` measures the same in a browser and says what else is fetched later.
 */
export function signInFiles(): string[] {
  const html = readFileSync(join(distFolder, 'index.html'), 'utf8');
  const files = new Set(['index.html', `assets/i18n/en-${localeFileVersion}.json`]);
  const waiting = namedBy(html, inHtml, '');
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    if (file.endsWith('.js'))
      waiting.push(...namedBy(readFileSync(join(distFolder, file), 'utf8'), inModule, dirname(file)));
  }
  return [...files].filter((file) => existsSync(join(distFolder, file)));
}

/** What another language than English adds is its file alone: the heaviest of them. */
function heaviestLanguage(): { locale: string; bytes: number } {
  const languages = supportedLocales.map((locale) => {
    const file = join(distFolder, `assets/i18n/${locale}-${localeFileVersion}.json`);
    return { locale, bytes: brotliBytes(readFileSync(file)) };
  });
  return languages.reduce((heaviest, language) => (language.bytes > heaviest.bytes ? language : heaviest));
}

/** Holds the weight of the sign-in screen, of the first bytes and of each language to the budget. */
export async function checkWeight(): Promise<StageResult> {
  await buildFrontEndWhenStale();
  const weights = signInFiles().map((file) => ({
    file,
    bytes: brotliBytes(readFileSync(join(distFolder, file))),
  }));
  const total = weights.reduce((sum, { bytes }) => sum + bytes, 0);
  const html = weights.find(({ file }) => file === 'index.html')?.bytes ?? 0;
  const language = heaviestLanguage();
  const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);
  const rules = [
    {
      holds: total <= budget.signInBytes,
      rule: `${kilobytes(total)} kB brotli, ${kilobytes(budget.signInBytes)} allowed`,
    },
    {
      holds: weights.length <= budget.signInFiles,
      rule: `${weights.length} files, ${budget.signInFiles} allowed`,
    },
    {
      holds: html <= budget.htmlBytes,
      rule: `HTML ${kilobytes(html)} kB, ${kilobytes(budget.htmlBytes)} allowed`,
    },
    {
      holds: language.bytes <= budget.languageBytes,
      rule: `the words of ${language.locale} ${kilobytes(language.bytes)} kB, ${kilobytes(budget.languageBytes)} allowed`,
    },
  ];
  const broken = rules.filter(({ holds }) => !holds);
  return {
    passed: rules.length - broken.length,
    failed: broken.length,
    note: `${kilobytes(total)} kB in ${weights.length} files, HTML ${kilobytes(html)} kB, no language over ${kilobytes(language.bytes)} kB`,
    output: [
      'The sign-in screen is too heavy:',
      ...broken.map(({ rule }) => `  ${rule}`),
      ...weights
        .toSorted((a, b) => b.bytes - a.bytes)
        .map(({ file, bytes }) => `  ${kilobytes(bytes).padStart(6)} kB  ${file}`),
    ].join('\n'),
  };
}
