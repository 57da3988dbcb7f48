import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';

const created: string[] = [];
let temporary: string;
let folder: string;

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'anteroom-compiled-'));
  folder = join(temporary, `anteroom-compiled-${process.getuid?.()}`);
  created.push(temporary);
});
afterAll(() => {
  for (const path of created) rmSync(path, { recursive: true });
});

/** Whether a process with this temporary folder keeps compiled code there. */
function isUsed(): boolean {
  const script = `
    const { cacheCompiledCode } = await import(${JSON.stringify(import.meta.resolve('./compile-cache.ts'))});
    cacheCompiledCode();
    process.stdout.write((await import('node:module')).getCompileCacheDir() ?? 'none');`;
  const used = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { TMPDIR: temporary },
    encoding: 'utf8',
  });
  return used.startsWith(folder);
}

test('compiled code is kept in a private folder', () => {
  expect(isUsed()).toBe(true);
  expect(isUsed()).toBe(true);
});

test('a folder to which other users can write is not used', () => {
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  expect(isUsed()).toBe(false);
});

test('a link to another folder is not used', () => {
  symlinkSync(mkdtempSync(join(temporary, 'other-')), folder);
  expect(isUsed()).toBe(false);
});
