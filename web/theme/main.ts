#!/usr/bin/env node
// anteroom-web: the command of the published package @anteroom/web, which has the built front end beside it.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Manifest } from '../serve/manifest.ts';
import { ThemeError } from './theme-file.ts';
import { writeThemedCopy } from './themed-copy.ts';

const help = `Usage: anteroom-web theme <theme.json> --out <folder>

Writes a copy of the front end with other colours, texts, logo and product name. The documentation of the theme file is
in docs/adopting.md ("Appearance").

  --out <folder>   a new folder, or that of an earlier copy
  --help           show this text

Exit codes: 0 written, 1 the theme cannot be applied, 2 the command was not understood.`;

const print = (text: string): boolean => process.stdout.write(`${text}\n`);
const note = (text: string): boolean => process.stderr.write(`${text}\n`);

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help) {
    print(help);
    return 0;
  }
  const [command, theme, ...more] = positionals;
  if (command !== 'theme' || theme === undefined || more.length > 0 || values.out === undefined) {
    note(help);
    return 2;
  }
  const startedIn = process.env['INIT_CWD'] ?? process.cwd();
  const out = resolve(startedIn, values.out);
  const { version } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'manifest.json'), 'utf8'),
  ) as Manifest;
  const build = join(import.meta.dirname, 'files');
  const without = await writeThemedCopy({ theme: resolve(startedIn, theme), build, version }, out);
  print(`The themed front end is in ${out}.`);
  if (without.length > 0)
    print(`The form is not in the page before the application has loaded in: ${without.join(', ')}.`);
  return 0;
}

try {
  process.exitCode = await run();
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error;
  if (!isUsage && !(error instanceof ThemeError)) throw error;
  note(error.message);
  process.exitCode = isUsage ? 2 : 1;
}
