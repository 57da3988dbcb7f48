import { openPGlite } from './embedded-database.ts';

// The program that creates an embedded database in the given folder.

process.stdin.on('end', () => process.exit(1)).resume();
const pglite = await openPGlite({ dataDir: process.argv[2] ?? '' });
await pglite.close();
process.exit(0);
