import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the whole project. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What one run leaves for the next and nobody commits; `npm ci` empties it. */
export const cacheFolder = join(root, 'node_modules', '.cache', 'anteroom');

/** Reports and figures of the last run, for people and machines to read. */
export const reportFolder = join(root, '.cache');
