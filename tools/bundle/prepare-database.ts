// Creates the embedded database of a release in the given folder, with the tables of this version. The same commit
// yields the same bytes, so the time and the random values are constants: PostgreSQL makes an identifier of the cluster
// of them, and a value that only matters for sign-ins by password, which the embedded database does not have.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const [folder = '', createdAt = ''] = process.argv.slice(2);
const createdAtMs = Date.parse(createdAt);
const fill = <T extends NodeJS.ArrayBufferView>(values: T): T => {
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength).fill(1);
  return values;
};
Date.now = () => createdAtMs;
performance.now = () => 0;
Object.defineProperty(performance, 'timeOrigin', { value: createdAtMs });
Object.assign(crypto, { randomFillSync: fill });
globalThis.crypto.getRandomValues = fill;
syncBuiltinESMExports();

const { openPGlite, createEmbeddedClient, createEmbeddedDatabase } =
  await import('../../identity/src/store/embedded-database.ts');
const { migrate } = await import('../../identity/src/store/migrate.ts');
const pglite = await openPGlite({ dataDir: folder });
const database = createEmbeddedDatabase(await createEmbeddedClient(pglite));
await migrate(database);
await database.destroy();
if (!pglite.closed) await pglite.close();
process.exit(0);
