import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../../..');
const migrations = 'identity/src/store/migrations';

const git = (...command: string[]): Buffer =>
  execFileSync('git', ['-C', root, ...command], { stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });

/**
 * The commit before the newest migration; `PREVIOUS_RELEASE` overrides it. Undefined if the history does not have it, as
 * in an archive or a shallow clone, and if its schema is not an earlier one of the same series.
 */
function findPreviousRelease(): string | undefined {
  const given = process.env['PREVIOUS_RELEASE'];
  if (given) return given;
  const names = readdirSync(join(root, migrations)).toSorted();
  const [first = '', newest = ''] = [names[0], names.at(-1)];
  try {
    const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', `${migrations}/${newest}`);
    // a migration that is not committed yet has no commit
    const previous = added.length === 0 ? 'HEAD' : `${added.toString().trim()}^`;
    git('cat-file', '-e', `${previous}:${migrations}/${first}`);
    return previous;
  } catch {
    return undefined;
  }
}

const previousRelease = findPreviousRelease();
export const hasPreviousRelease = previousRelease !== undefined;
export const withoutPreviousRelease = 'needs the commit before the newest migration';

/** Unpacks the previous release of the service and the front end, with the present dependencies. `main` is its entry point. */
export function unpackPreviousRelease(): { folder: string; main: URL; remove: () => void } {
  if (previousRelease === undefined) throw new Error(`This ${withoutPreviousRelease}`);
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
