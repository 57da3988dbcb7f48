import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Migration } from 'kysely/migration';
import * as firstLight from './migrations/0001-first-light.ts';
import * as signInSteps from './migrations/0002-sign-in-steps.ts';
import * as secondFactorAndMessages from './migrations/0003-second-factor-and-messages.ts';
import * as recovery from './migrations/0004-recovery.ts';
import * as toDos from './migrations/0005-to-dos.ts';
import * as siteList from './migrations/0006-site-list.ts';
import * as boardNames from './migrations/0007-board-names.ts';
import * as notices from './migrations/0008-notices.ts';
import * as enterprise from './migrations/0009-enterprise.ts';
import * as audit from './migrations/0010-audit.ts';
import * as regions from './migrations/0011-regions.ts';
import * as jobLeases from './migrations/0012-job-leases.ts';
import * as signOutNotices from './migrations/0013-sign-out-notices.ts';
import * as externalSessions from './migrations/0014-external-sessions.ts';
import * as providerSessions from './migrations/0016-provider-sessions.ts';
import * as whereSomebodyWasGoing from './migrations/0017-where-somebody-was-going.ts';
import * as signOutsAtProviders from './migrations/0018-sign-outs-at-providers.ts';
import * as proofsOfOnePerson from './migrations/0019-proofs-of-one-person.ts';
import * as sitesByDisplayName from './migrations/0020-sites-by-display-name.ts';
import * as directorToDos from './migrations/0021-director-to-dos.ts';
import * as followedSignIns from './migrations/0022-followed-sign-ins.ts';
import * as keysInUse from './migrations/0023-keys-in-use.ts';
import * as refusalLinks from './migrations/0024-refusal-links.ts';
import * as metadataRead from './migrations/0029-metadata-read.ts';
import * as authenticatorApps from './migrations/0030-authenticator-apps.ts';
import * as kindsOfPasswordHashes from './migrations/0031-kinds-of-password-hashes.ts';
import * as passkeys from './migrations/0033-passkeys.ts';
import * as invitations from './migrations/0033a-invitations.ts';
import * as browsersOfSessions from './migrations/0035-browsers-of-sessions.ts';
import * as subjectQualifiers from './migrations/0039-subject-qualifiers.ts';
import * as secondFactorsOfSites from './migrations/0036-second-factors-of-sites.ts';
import * as recoveryCodesMadeAt from './migrations/0037-recovery-codes-made-at.ts';
import * as phoneNumbersOfUsers from './migrations/0041-phone-numbers-of-users.ts';
import * as secondFactorFrom from './migrations/0042-second-factor-from.ts';
import type { Database } from './schema.ts';

/** In order, by name. Released migrations never change. */
const migrations: Record<string, Migration> = {
  '0001-first-light': firstLight,
  '0002-sign-in-steps': signInSteps,
  '0003-second-factor-and-messages': secondFactorAndMessages,
  '0004-recovery': recovery,
  '0005-to-dos': toDos,
  '0006-site-list': siteList,
  '0007-board-names': boardNames,
  '0008-notices': notices,
  '0009-enterprise': enterprise,
  '0010-audit': audit,
  '0011-regions': regions,
  '0012-job-leases': jobLeases,
  '0013-sign-out-notices': signOutNotices,
  '0014-external-sessions': externalSessions,
  '0016-provider-sessions': providerSessions,
  '0017-where-somebody-was-going': whereSomebodyWasGoing,
  '0018-sign-outs-at-providers': signOutsAtProviders,
  '0019-proofs-of-one-person': proofsOfOnePerson,
  '0020-sites-by-display-name': sitesByDisplayName,
  '0021-director-to-dos': directorToDos,
  '0022-followed-sign-ins': followedSignIns,
  '0023-keys-in-use': keysInUse,
  '0024-refusal-links': refusalLinks,
  '0029-metadata-read': metadataRead,
  '0030-authenticator-apps': authenticatorApps,
  '0031-kinds-of-password-hashes': kindsOfPasswordHashes,
  '0033-passkeys': passkeys,
  '0033a-invitations': invitations,
  '0035-browsers-of-sessions': browsersOfSessions,
  '0036-second-factors-of-sites': secondFactorsOfSites,
  '0037-recovery-codes-made-at': recoveryCodesMadeAt,
  '0039-subject-qualifiers': subjectQualifiers,
  '0041-phone-numbers-of-users': phoneNumbersOfUsers,
  '0042-second-factor-from': secondFactorFrom,
};

/**
 * Applies all missing migrations in one transaction, so that a failure changes nothing; on PostgreSQL under an advisory
 * lock, so that only one of several starting nodes migrates while the others wait. Returns the names of the applied
 * migrations. A database with the migrations of a later version is accepted: tables only gain columns that the previous
 * version does not need (`docs/decisions/023-one-version-back.md`), so that a release can be rolled back and nodes of
 * both versions can run together.
 */
export async function migrate(database: Database, extra: Record<string, Migration> = {}): Promise<string[]> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(database);
  const own = { ...migrations, ...extra };
  // queried before the migrator starts, which occupies the only connection of the embedded database
  const later = await findLaterMigrations(database, Object.keys(own));
  const migrator = new Migrator({
    db: database,
    // Without this, the migrator would find the tables of another installation in another schema of the database.
    migrationTableSchema: rows[0]?.schema,
    provider: { getMigrations: () => Promise.resolve({ ...own, ...later }) },
  });
  let { error, results = [] } = await migrator.migrateToLatest();
  for (let tries = 1; tries < mostTries && isGoneMeanwhile(error); tries += 1)
    ({ error, results = [] } = await migrator.migrateToLatest());
  const failed = results.find((result) => result.status === 'Error');
  if (failed !== undefined) {
    throw new Error(`The migration ${failed.migrationName} failed and was rolled back`, { cause: error });
  }
  if (error !== undefined) throw new Error('The database could not be migrated', { cause: error });
  return results.map((result) => result.migrationName);
}

/** Kysely reads the tables of every schema, and fails if another application drops a table at that moment. */
const mostTries = 10;
/** SQLSTATE: no such schema, no such table. */
const goneCodes: ReadonlySet<unknown> = new Set(['3F000', '42P01']);

function isGoneMeanwhile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && goneCodes.has(error.code);
}

/** Applied migrations that this version does not know, as migrations without effect. */
async function findLaterMigrations(
  database: Database,
  known: readonly string[],
): Promise<Record<string, Migration>> {
  const latest = known.toSorted().at(-1) ?? '';
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there`.execute(database);
  if (tables[0]?.there !== true) return {};
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
  const later = rows.filter(({ name }) => name > latest);
  return Object.fromEntries(later.map(({ name }) => [name, { up: () => Promise.resolve() }]));
}
