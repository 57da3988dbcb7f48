import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the project. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The folder of uncommitted files that later runs reuse; `npm ci` deletes it. */
export const cacheFolder = join(root, 'node_modules', '.cache', 'anteroom');

/** The folder of the reports of the last run. */
export const reportFolder = join(root, '.cache');
