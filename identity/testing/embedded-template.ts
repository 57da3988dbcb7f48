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
import { PGlite } from '@electric-sql/pglite';
import { createEmbeddedDatabase } from '../src/store/embedded-database.ts';
import { migrate } from '../src/store/migrate.ts';

/** An embedded database with all migrations and no rows. Making one takes six seconds of a core, copying it a few tenths. */
export interface EmbeddedTemplate {
  /** A tar file that PGlite loads into memory. */
  archive: string;
  /** A data directory. */
  directory: string;
}

const cacheDirectory = join(import.meta.dirname, '../../node_modules/.cache/anteroom');
const migrationsDirectory = join(import.meta.dirname, '../src/store/migrations');

/** The template of the present migrations; made when there is none yet. */
export async function requireEmbeddedTemplate(): Promise<EmbeddedTemplate> {
  const folder = join(cacheDirectory, `embedded-${fingerprint()}`);
  if (!existsSync(folder)) await makeTemplate(folder);
  return templateIn(folder);
}

/** Puts a copy of the template where a service that has `dataDirectory` as its DATA_DIR finds its database. */
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
  // It lists the migrations that are applied.
  hash.update(readFileSync(join(migrationsDirectory, '../migrate.ts')));
  hash.update(readFileSync(createRequire(import.meta.url).resolve('@electric-sql/pglite')));
  return hash.digest('hex').slice(0, 16);
}

/** The template appears whole: two test runs may make it at the same time. */
async function makeTemplate(folder: string): Promise<void> {
  mkdirSync(cacheDirectory, { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  const { archive, directory } = templateIn(draft);
  const pglite = await PGlite.create(directory);
  try {
    await migrate(await createEmbeddedDatabase(pglite));
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
