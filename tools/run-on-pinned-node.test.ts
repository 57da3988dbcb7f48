import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from './root.ts';

let checkout: string;

/** A checkout after `npm ci --omit=dev`: the lock file lists a development package that is not installed. */
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'anteroom-checkout-'));
  for (const file of ['tools/enter.mjs', 'tools/run-on-pinned-node.mjs', 'identity/bin/anteroom.mjs'])
    cpSync(join(root, file), join(checkout, file));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(checkout, file)), { recursive: true });
    writeFileSync(join(checkout, file), text);
  };
  write('identity/src/cli/main.ts', 'process.stdout.write(process.argv.slice(2).join(" "));');
  write('node_modules/.package-lock.json', JSON.stringify({ packages: {} }));
  const packages = {
    'node_modules/vitest': { version: '1.0.0', dev: true },
    'node_modules/@anteroom/web': { link: true, resolved: 'web' },
  };
  write('package-lock.json', JSON.stringify({ packages }));
  write('npm/npm', '#!/bin/sh\ntouch "$(dirname "$0")/was-called"\n');
  chmodSync(join(checkout, 'npm/npm'), 0o755);
});
afterEach(() => rmSync(checkout, { recursive: true }));

test.each(['#', '%', '?'])('a checkout with %s in its path is refused with the reason', (character) => {
  const moved = join(checkout, `my${character}folder`);
  for (const file of ['tools/enter.mjs', 'tools/run-on-pinned-node.mjs'])
    cpSync(join(root, file), join(moved, file));
  const { status, stderr } = spawnSync(process.execPath, [join(moved, 'tools/enter.mjs')], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toBe(
    `The front end cannot be built in ${moved}, because of the ${character} in this path: move the folder.\n`,
  );
});

test('the operators’ command line installs nothing and writes nothing to the checkout', () => {
  const files = () => globSync('**', { cwd: checkout }).toSorted();
  const before = files();
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(checkout, 'identity/bin/anteroom.mjs'), 'sites', 'list'],
    { env: { PATH: [join(checkout, 'npm'), process.env['PATH']].join(delimiter) }, encoding: 'utf8' },
  );
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'sites list' });
  expect(existsSync(join(checkout, 'npm/was-called'))).toBe(false);
  expect(files()).toEqual(before);
});
