import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { supportedLocales } from '../../contract/src/languages.ts';
import { localeFileVersion } from '../../contract/src/limits.ts';
import { buildFrontEndWhenStale, consoleDistFolder, distFolder } from '../front-end.ts';
import type { StageResult } from '../stage.ts';
import { sendPagesWithForms } from './pages-with-forms.ts';

/** The budgets of the README, in bytes after brotli compression at quality 11; 1 kB is 1000 bytes. */
export const weightBudget = {
  signInBytes: 92_000,
  signInFiles: 8,
  /**
   * The first screen with the form in the page and all answers, as the service sends it. The README's budget of 92 kB
   * is not met.
   */
  formBytes: 95_000,
  formFiles: 9,
  htmlBytes: 14_000,
  languageBytes: 25_000,
  /** Everything that the console loads in one language, all of its screens included. */
  consoleBytes: 140_000,
};

const brotliBytes = (content: Buffer): number =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).byteLength;

/** The files to which `text` refers, relative to the build folder. */
function namedBy(text: string, patterns: readonly RegExp[], folder: string): string[] {
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''))
    .map((name) => (name.startsWith('/ui/') ? name.slice('/ui/'.length) : posix.join(folder, name)))
    .filter((name) => existsSync(join(distFolder, name)));
}

/** The resources in the HTML: scripts, preloads, styles. */
const inHtml = [
  /<script[^>]+src="([^"]+)"/g,
  /<link[^>]+rel="(?:modulepreload|stylesheet|preload)"[^>]*href="([^"]+)"/g,
];
/** The static imports of a module. */
const inModule = [
  /(?:^|[;}\s])import\s*(?:[^'"()]*?from\s*)?["']([^"']+)["']/g,
  /\bfrom\s*["']([^"']+)["']/g,
];

/**
 * Every file that the English sign-in screen needs before it is usable, determined from the build without a browser:
 * the page, its resources, their static imports, the English texts, and the configuration. `npm run bench weight`
 * measures the same in a browser, and reports what is loaded later.
 */
export function signInFiles(): string[] {
  return [...filesOf('index.html'), `assets/i18n/en-${localeFileVersion}.json`];
}

/** A page, its resources and their static imports. */
function filesOf(page: string): string[] {
  const files = new Set([page]);
  const waiting = namedBy(readFileSync(join(distFolder, page), 'utf8'), inHtml, '');
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    if (file.endsWith('.js'))
      waiting.push(...namedBy(readFileSync(join(distFolder, file), 'utf8'), inModule, dirname(file)));
  }
  return [...files];
}

/** The largest page with a form as the service sends it, and the whole first screen with the form in English. */
async function weighForms(): Promise<{
  html: { name: string; bytes: number };
  bytes: number;
  files: number;
}> {
  const pages = (await sendPagesWithForms()).map(({ form, locale, bytes }) => ({
    name: `${locale}-${form}`,
    bytes,
  }));
  const english = 'en-credentials';
  const [, ...others] = filesOf(`shells/${english}.html`);
  const sent = pages.find(({ name }) => name === english)?.bytes ?? 0;
  return {
    html: pages.reduce((heaviest, one) => (one.bytes > heaviest.bytes ? one : heaviest)),
    bytes: others.reduce((sum, file) => sum + brotliBytes(readFileSync(join(distFolder, file))), sent),
    files: 1 + others.length,
  };
}

/** The largest language file besides English. Another language adds nothing else. */
function heaviestLanguage(): { locale: string; bytes: number } {
  const languages = supportedLocales.map((locale) => {
    const file = join(distFolder, `assets/i18n/${locale}-${localeFileVersion}.json`);
    return { locale, bytes: brotliBytes(readFileSync(file)) };
  });
  return languages.reduce((heaviest, language) => (language.bytes > heaviest.bytes ? language : heaviest));
}

/** All files of the console with the heaviest of its languages. */
function weighConsole(): number {
  const weigh = (file: string): number => brotliBytes(readFileSync(join(consoleDistFolder, file)));
  const files = globSync(['index.html', 'assets/*.{js,css}'], { cwd: consoleDistFolder });
  const isTexts = (file: string): boolean =>
    supportedLocales.some((locale) => posix.basename(file).startsWith(`${locale}-`));
  const texts = files.filter(isTexts).map(weigh);
  if (texts.length !== supportedLocales.length)
    throw new Error(`The console has ${texts.length} languages instead of ${supportedLocales.length}`);
  const others = files.filter((file) => !isTexts(file)).map(weigh);
  return others.reduce((sum, bytes) => sum + bytes, Math.max(...texts));
}

/** Checks the size of the console, of the sign-in screen, of the HTML and of each language against the budget. */
export async function checkWeight(): Promise<StageResult> {
  await buildFrontEndWhenStale();
  const weights = signInFiles().map((file) => ({
    file,
    bytes: brotliBytes(readFileSync(join(distFolder, file))),
  }));
  const total = weights.reduce((sum, { bytes }) => sum + bytes, 0);
  const html = weights.find(({ file }) => file === 'index.html')?.bytes ?? 0;
  const language = heaviestLanguage();
  const form = await weighForms();
  const consoleBytes = weighConsole();
  const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);
  const rules = [
    {
      holds: total <= weightBudget.signInBytes,
      rule: `${kilobytes(total)} kB brotli, ${kilobytes(weightBudget.signInBytes)} allowed`,
    },
    {
      holds: weights.length <= weightBudget.signInFiles,
      rule: `${weights.length} files, ${weightBudget.signInFiles} allowed`,
    },
    {
      holds: html <= weightBudget.htmlBytes,
      rule: `HTML ${kilobytes(html)} kB, ${kilobytes(weightBudget.htmlBytes)} allowed`,
    },
    {
      holds: form.html.bytes <= weightBudget.htmlBytes,
      rule: `HTML with the form and the answers, ${form.html.name}: ${kilobytes(form.html.bytes)} kB, ${kilobytes(weightBudget.htmlBytes)} allowed`,
    },
    {
      holds: form.bytes <= weightBudget.formBytes,
      rule: `everything with the form: ${kilobytes(form.bytes)} kB, ${kilobytes(weightBudget.formBytes)} allowed`,
    },
    {
      holds: form.files <= weightBudget.formFiles,
      rule: `everything with the form: ${form.files} files, ${weightBudget.formFiles} allowed`,
    },
    {
      holds: language.bytes <= weightBudget.languageBytes,
      rule: `the texts of ${language.locale}: ${kilobytes(language.bytes)} kB, ${kilobytes(weightBudget.languageBytes)} allowed`,
    },
    {
      holds: consoleBytes <= weightBudget.consoleBytes,
      rule: `the console: ${kilobytes(consoleBytes)} kB, ${kilobytes(weightBudget.consoleBytes)} allowed`,
    },
  ];
  const broken = rules.filter(({ holds }) => !holds);
  return {
    passed: rules.length - broken.length,
    failed: broken.length,
    note: `${kilobytes(total)} kB in ${weights.length} files, HTML ${kilobytes(html)} kB, with the form and the answers ${kilobytes(form.html.bytes)} kB, everything with the form ${kilobytes(form.bytes)} kB in ${form.files} files, no language over ${kilobytes(language.bytes)} kB, the console ${kilobytes(consoleBytes)} kB`,
    output: [
      'A page is too heavy:',
      ...broken.map(({ rule }) => `  ${rule}`),
      ...weights
        .toSorted((a, b) => b.bytes - a.bytes)
        .map(({ file, bytes }) => `  ${kilobytes(bytes).padStart(6)} kB  ${file}`),
    ].join('\n'),
  };
}
