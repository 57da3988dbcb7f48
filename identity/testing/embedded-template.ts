import { createHash } from 'node:crypto';
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createEmbeddedClient, createEmbeddedDatabase, openPGlite } from '../src/store/embedded-database.ts';
import { migrate } from '../src/store/migrate.ts';

/**
 * An embedded database with all migrations and no rows. Creating it takes six seconds of CPU time; opening a copy takes
 * a third of a second.
 */
export interface EmbeddedTemplate {
  /** A tar file that PGlite loads into memory. */
  archive: string;
  /** A data directory. */
  directory: string;
}

const cacheDirectory = join(import.meta.dirname, '../../node_modules/.cache/anteroom');
const migrationsDirectory = join(import.meta.dirname, '../src/store/migrations');

/** Returns the template for the present migrations, and creates it if necessary. */
export async function requireEmbeddedTemplate(): Promise<EmbeddedTemplate> {
  const folder = join(cacheDirectory, `embedded-${fingerprint()}`);
  if (!existsSync(folder)) await createTemplate(folder);
  return templateIn(folder);
}

/** Copies the template into the DATA_DIR of a service. */
export async function placeEmbeddedDatabase(dataDirectory: string): Promise<void> {
  const { directory } = await requireEmbeddedTemplate();
  cpSync(directory, join(dataDirectory, 'database'), {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
  });
}

const templateIn = (folder: string): EmbeddedTemplate => ({
  archive: join(folder, 'database.tar'),
  directory: join(folder, 'database'),
});

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(migrationsDirectory).toSorted())
    hash.update(name).update(readFileSync(join(migrationsDirectory, name)));
  // `migrate.ts` lists the migrations, and the present file decides what the template contains
  for (const file of [join(migrationsDirectory, '../migrate.ts'), import.meta.filename])
    hash.update(readFileSync(file));
  hash.update(readFileSync(createRequire(import.meta.url).resolve('@electric-sql/pglite')));
  return hash.digest('hex').slice(0, 16);
}

/** Creates the template atomically, because two test runs may do so at the same time. */
async function createTemplate(folder: string): Promise<void> {
  mkdirSync(cacheDirectory, { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  const { archive, directory } = templateIn(draft);
  const pglite = await openPGlite({ dataDir: directory });
  try {
    await migrate(createEmbeddedDatabase(await createEmbeddedClient(pglite)));
    // Only `create database` reads these two. Without them, opening a copy takes 0.3 s of CPU time instead of 0.5 s.
    await pglite.exec('update pg_database set datistemplate = false');
    for (const name of ['template0', 'template1']) await pglite.exec(`drop database ${name}`);
    writeFileSync(archive, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()));
  } finally {
    await pglite.close();
  }
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
}
