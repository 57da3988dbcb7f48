import { appendFileSync, cpSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { hashInputs } from './front-end.ts';
import { root } from './root.ts';

const folder = mkdtempSync(join(tmpdir(), 'anteroom-inputs-'));
const screen = 'web/src/main.tsx';

beforeEach(() => {
  for (const path of ['web', 'contract', 'package.json', 'package-lock.json', 'tsconfig.base.json'])
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: (source) => !/[\\/](?:node_modules|dist)$/.test(source),
    });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a copy of the sources needs no other front end, whatever the times of its files are', () => {
  utimesSync(join(folder, screen), new Date(0), new Date(0));
  expect(hashInputs('web', folder)).toBe(hashInputs('web'));
});

test('a changed source needs another front end', () => {
  appendFileSync(join(folder, screen), '\n');
  expect(hashInputs('web', folder)).not.toBe(hashInputs('web'));
});

test('a changed test needs no other front end', () => {
  writeFileSync(join(folder, 'web/src/added.test.ts'), '');
  expect(hashInputs('web', folder)).toBe(hashInputs('web'));
});
