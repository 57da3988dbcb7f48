import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { root } from '../../tools/root.ts';
import type { Closeness } from './compare.ts';
import type { Picture } from './picture.ts';
import { decodePng, encodePng } from './png.ts';

/** What a picture depends on besides the product: it is compared as closely as these are alike. */
export interface Made {
  chromiumMajor: number;
  /** The width of one line of each script, in pixels: other fonts make other pictures, which cannot be compared. */
  fontWidths: Readonly<Record<string, number>>;
}

const folder = join(root, 'e2e', 'pictures', 'record');
const madeFile = join(folder, 'made.json');
const fileOf = (name: string): string => join(folder, `${name}.png`);

export function findRecorded(name: string): Picture | undefined {
  return existsSync(fileOf(name)) ? decodePng(readFileSync(fileOf(name))) : undefined;
}

/** The names of all pictures of the record, in order. */
export function listRecorded(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.png'))
    .map((file) => file.slice(0, -'.png'.length))
    .toSorted();
}

/** Takes a picture into the record. */
export function accept(name: string, picture: Picture, made: Made): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(name), encodePng(picture));
  writeFileSync(madeFile, `${JSON.stringify(made, undefined, 2)}\n`);
}

/** Writes a picture to the results of the run, for inspection. */
export function leave(name: string, picture: Picture): string {
  const results = join(root, 'test-results', 'pictures');
  mkdirSync(results, { recursive: true });
  const file = join(results, `${name}.png`);
  rmSync(file, { force: true });
  writeFileSync(file, encodePng(picture));
  return file;
}

const samples: Readonly<Record<string, string>> = {
  en: 'Sign in to Northwind Holdings',
  ar: 'تسجيل الدخول إلى اللوحة',
  ja: '取締役会にサインインする',
  zh: '登录董事会门户',
  he: 'כניסה אל הדירקטוריון',
};

/** What the pictures of this browser on this machine depend on. */
export async function readMade(page: Page, browserVersion: string): Promise<Made> {
  const fontWidths = await page.evaluate((texts) => {
    const line = document.createElement('span');
    // the tokens of the page choose its fonts; taken out of the flow, the line is as wide as its text
    line.style.setProperty('position', 'absolute');
    line.style.setProperty('white-space', 'nowrap');
    line.style.setProperty('font-family', 'system-ui, sans-serif');
    document.documentElement.append(line);
    const widths = Object.entries(texts).map(([language, text]) => {
      line.lang = language;
      line.textContent = text;
      return [language, Math.round(line.getBoundingClientRect().width)] as const;
    });
    line.remove();
    return Object.fromEntries(widths);
  }, samples);
  return { chromiumMajor: Number(browserVersion.split('.')[0]), fontWidths };
}

/** How closely this browser's pictures can be compared with those of the record; undefined: its fonts are others. */
export function findCloseness(here: Made): Closeness | undefined {
  const there = JSON.parse(readFileSync(madeFile, 'utf8')) as Made;
  const hasOtherFonts = Object.entries(there.fontWidths).some(
    ([language, width]) => Math.abs(width - (here.fontWidths[language] ?? 0)) > 2,
  );
  if (hasOtherFonts) return undefined;
  return there.chromiumMajor === here.chromiumMajor ? 'same' : 'other';
}
