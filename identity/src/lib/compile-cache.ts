import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Keeps compiled code for the next process, which saves a third of the CPU time of a start. `NODE_COMPILE_CACHE` names
 * another folder. The cached code is executed without a check of its origin, so Node's default, a folder that any user
 * can create first, is not used. Without a private folder, such as on a read-only file system, nothing is cached.
 */
export function cacheCompiledCode(): void {
  const folder = process.env['NODE_COMPILE_CACHE'] ?? findPrivateFolder();
  if (folder !== undefined) enableCompileCache(folder);
}

function findPrivateFolder(): string | undefined {
  const user = process.getuid?.();
  const folder = join(tmpdir(), `anteroom-compiled-${user ?? 'user'}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    // on Windows, the temporary folder is the user's own
    return user === undefined || (uid === user && (mode & 0o077) === 0) ? folder : undefined;
  } catch {
    return undefined;
  }
}
