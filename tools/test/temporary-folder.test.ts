import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('a test run removes its temporary folder, and the folders of runs that were killed', () => {
  const parent = mkdtempSync(join(tmpdir(), 'anteroom-folders-'));
  const ended = Number(execFileSync(process.execPath, ['--print', 'process.pid'], { encoding: 'utf8' }));
  mkdirSync(join(parent, `anteroom-test-${ended}-abc`, 'inner'), { recursive: true });
  mkdirSync(join(parent, `anteroom-test-${process.pid}-abc`));
  mkdirSync(join(parent, 'other'));
  const script = `
    const { createTemporaryFolder } = await import(${JSON.stringify(import.meta.resolve('./temporary-folder.ts'))});
    process.stdout.write(createTemporaryFolder(${JSON.stringify(parent)}));`;
  const made = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  expect(made.startsWith(join(parent, 'anteroom-test-'))).toBe(true);
  expect(existsSync(made)).toBe(false);
  expect(readdirSync(parent).toSorted()).toEqual([`anteroom-test-${process.pid}-abc`, 'other']);
  rmSync(parent, { recursive: true });
});
