import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { root } from '../../tools/root.ts';
import type { Closeness } from './compare.ts';
import type { Picture } from './picture.ts';
import { decodePng, encodePng } from './png.ts';

/** The browser and fonts with which pictures were made. They decide how closely pictures can be compared. */
export interface Made {
  chromiumMajor: number;
  /** The width of a sample line in each script, in pixels. Pictures with other fonts cannot be compared. */
  fontWidths: Readonly<Record<string, number>>;
}

const folder = join(root, 'e2e', 'pictures', 'record');
const madeFile = join(folder, 'made.json');
const fileOf = (name: string): string => join(folder, `${name}.png`);

export function findRecorded(name: string): Picture | undefined {
  return existsSync(fileOf(name)) ? decodePng(readFileSync(fileOf(name))) : undefined;
}

/** The names of all recorded pictures, sorted. */
export function listRecorded(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.png'))
    .map((file) => file.slice(0, -'.png'.length))
    .toSorted();
}

/** Adds a picture to the record or replaces it. */
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

/** Reads the version of this browser and the fonts of this machine. */
export async function readMade(page: Page, browserVersion: string): Promise<Made> {
  const fontWidths = await page.evaluate((texts) => {
    const line = document.createElement('span');
    // positioned absolutely, so that the line is as wide as its text
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

/** How closely this browser's pictures can be compared with the record; undefined if the fonts differ. */
export function findCloseness(here: Made): Closeness | undefined {
  const there = JSON.parse(readFileSync(madeFile, 'utf8')) as Made;
  const hasOtherFonts = Object.entries(there.fontWidths).some(
    ([language, width]) => Math.abs(width - (here.fontWidths[language] ?? 0)) > 2,
  );
  if (hasOtherFonts) return undefined;
  return there.chromiumMajor === here.chromiumMajor ? 'same' : 'other';
}
