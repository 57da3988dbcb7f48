import { isAbsolute, join, matchesGlob, relative } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../command.ts';
import { root } from '../root.ts';
import { findTests, findTestsOf, restOfTests } from './tiers.ts';

const runners = ['vitest', 'playwright'] as const;

test.each(runners)('every test file of %s is in exactly one tier', (runner) => {
  const tiers = [...findTestsOf('first', runner), ...findTestsOf('rest', runner)];
  expect(tiers.toSorted()).toEqual(findTests(runner));
});

test.each(Object.values(restOfTests).flat())('%s names test files', (pattern) => {
  const files = runners.flatMap((runner) => findTests(runner));
  expect(files.filter((path) => matchesGlob(path, pattern))).not.toEqual([]);
});

test('vitest runs every test file', async () => {
  const { stdout } = await runCommand('vitest', ['list', '--filesOnly', '--json']);
  const found = JSON.parse(stdout.slice(stdout.indexOf('['))) as { file: string }[];
  const paths = found.map(({ file }) => (isAbsolute(file) ? relative(root, file) : file));
  expect([...new Set(paths)].toSorted()).toEqual(findTests('vitest'));
});

test('playwright runs every test file', async () => {
  const { stdout } = await runCommand('playwright', [
    'test',
    '--config',
    'e2e/playwright.config.ts',
    '--list',
    '--reporter=json',
  ]);
  const { suites } = JSON.parse(stdout) as { suites: { file: string }[] };
  expect(suites.map(({ file }) => join('e2e', file)).toSorted()).toEqual(findTests('playwright'));
});
