import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The commit of the previous release, updated with each release. `PREVIOUS_RELEASE` overrides it. */
const previousRelease = process.env['PREVIOUS_RELEASE'] ?? 'bbf4a1c';

const root = join(import.meta.dirname, '../../..');

const git = (...command: string[]): Buffer =>
  execFileSync('git', ['-C', root, ...command], { stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });

/**
 * Whether the repository contains the previous release; false in a copy without history, such as an archive or a
 * shallow clone.
 */
export function hasPreviousRelease(): boolean {
  try {
    git('cat-file', '-e', `${previousRelease}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

/** Unpacks the previous release of the service and the front end, with the present dependencies. `main` is its entry point. */
export function unpackPreviousRelease(): { folder: string; main: URL; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-previous-'));
  execFileSync('tar', ['-x', '-C', folder], {
    input: git(
      'archive',
      previousRelease,
      'identity',
      'contract',
      'web',
      'package.json',
      'tsconfig.base.json',
    ),
  });
  const libraries = join(root, 'node_modules');
  mkdirSync(join(folder, 'node_modules/@anteroom'), { recursive: true });
  for (const name of readdirSync(libraries)) {
    if (name !== '@anteroom') symlinkSync(join(libraries, name), join(folder, 'node_modules', name));
  }
  for (const name of ['identity', 'contract']) {
    symlinkSync(join(folder, name), join(folder, 'node_modules/@anteroom', name));
  }
  return {
    folder,
    main: pathToFileURL(join(folder, 'identity/src/main.ts')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
