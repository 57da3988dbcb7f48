import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { supportedLocales } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { firstForms } from '@anteroom/contract/first-form';
import type { FirstForm } from '@anteroom/contract/first-form';

/** Reads the built page; undefined if the front end is not built, or is served elsewhere. */
export function readBuiltPage(webDist: string | undefined): string | undefined {
  return webDist === undefined ? undefined : readIfThere(join(webDist, 'index.html'));
}

/** Reads the page with a rendered form in a language; undefined if the build has none. */
export function readBuiltShell(webDist: string, locale: Locale, form: FirstForm): string | undefined {
  return readIfThere(join(webDist, 'shells', `${locale}-${form}.html`));
}

/**
 * The text of the built pages, whose inline styles and scripts the CSP allows. All shells have the same
 * ones; a theme can omit some shells.
 */
export function readInlineSources(webDist: string | undefined): string | undefined {
  if (webDist === undefined) return undefined;
  const shells = supportedLocales.flatMap((locale) =>
    firstForms.map((form) => readBuiltShell(webDist, locale, form)),
  );
  return `${readBuiltPage(webDist) ?? ''}${shells.find((page) => page !== undefined) ?? ''}`;
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
