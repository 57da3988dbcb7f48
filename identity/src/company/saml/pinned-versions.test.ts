import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
type Lock = { packages: Record<string, { version?: string }> };
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
const manifest = JSON.parse(readFileSync(join(root, 'identity/package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

/** The first versions that fix the known vulnerabilities (attacks and faults, 1.9). */
const lowest: Record<string, string> = {
  '@node-saml/node-saml': '5.1.0',
  'xml-crypto': '6.1.2',
  '@xmldom/xmldom': '0.8.15',
};

const numbersOf = (version: string): number[] => version.split('.').map(Number);
function isAtLeast(version: string, least: string): boolean {
  const [have, need] = [numbersOf(version), numbersOf(least)];
  const differing = have.findIndex((number, index) => number !== need[index]);
  return differing === -1 || (have[differing] ?? 0) > (need[differing] ?? 0);
}

test.each(Object.entries(lowest))('every installed copy of %s has version %s or later', (name, least) => {
  const versions = Object.entries(lock.packages)
    .filter(([path]) => path.endsWith(`node_modules/${name}`))
    .map(([, { version = '0' }]) => version);
  expect(versions.length).toBeGreaterThan(0);
  expect(versions.filter((version) => !isAtLeast(version, least))).toEqual([]);
});

test.each(Object.keys(lowest))('%s is pinned to one version', (name) => {
  expect(manifest.dependencies[name]).toMatch(/^\d+\.\d+\.\d+$/);
});

test('signatures are verified, and messages parsed, by the same parser', () => {
  const parsers = Object.keys(lock.packages).filter((path) => path.endsWith('node_modules/@xmldom/xmldom'));
  expect(parsers).toEqual(['node_modules/@xmldom/xmldom']);
});
