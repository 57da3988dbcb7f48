import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startChild } from '../../testing/child-process.ts';
import type { Child } from '../../testing/child-process.ts';
import { placeEmbeddedDatabase } from '../../testing/embedded-template.ts';
import { DirectoryLockError, lockDirectory } from './directory-lock.ts';

const script = new URL('../../testing/hold-directory.ts', import.meta.url);
let directory: string;
let children: Child[];

const hold = (name: string): Child => {
  const child = startChild(script, { arguments: [directory, name] });
  children.push(child);
  return child;
};

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'anteroom-lock-'));
  await placeEmbeddedDatabase(directory);
  children = [];
});

afterEach(async () => {
  for (const child of children) child.process.kill('SIGKILL');
  await Promise.all(children.map((child) => child.ended));
  rmSync(directory, { recursive: true, force: true });
});

test('a second process on the same data directory is rejected with a message that names the directory, and the first keeps its rows [F02]', async () => {
  const first = hold('first');
  await first.saw(/^holding first$/);

  const second = hold('second');
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`The data directory ${directory} is in use by another Anteroom process`);

  first.process.kill('SIGKILL');
  await first.ended;
  await hold('third').saw(/^holding first,third$/);
});

test('after kill -9 the next process gets the directory at once, with all acknowledged data [F02]', async () => {
  const first = hold('first');
  await first.saw(/^holding first$/);
  first.process.kill('SIGKILL');
  expect(await first.ended).toBe('SIGKILL');

  await hold('second').saw(/^holding first,second$/);
});

test('two holders within one process are rejected too, and release frees the directory', () => {
  const lock = lockDirectory(join(directory, 'database'));
  expect(() => lockDirectory(join(directory, 'database'))).toThrow(DirectoryLockError);
  lock.release();
  lockDirectory(join(directory, 'database')).release();
});

test('an unusable directory is reported with the reason', () => {
  expect(() => lockDirectory(join('/dev/null', 'data', 'database'))).toThrow(
    /^The data directory \/dev\/null\/data cannot be used: /,
  );
});
