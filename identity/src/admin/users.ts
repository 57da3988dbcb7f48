import { userNameMaximumLength } from '@anteroom/contract';
import { sql } from 'kysely';
import * as v from 'valibot';
import { signInNameKey } from '../lib/names.ts';
import { secureRandom } from '../lib/random.ts';
import { endSessions, revokeAccess } from '../openid/end-sessions.ts';
import { kindOf } from '../passwords/hash-work.ts';
import { parseImportedHash } from '../passwords/imported-hash.ts';
import { deleteRefusals } from '../passwords/refusal-links.ts';
import { findStoredKinds } from '../passwords/stored-kinds.ts';
import { toDialable } from '../second-factor/phone-number.ts';
import type { Services } from '../services.ts';
import { siteNameKey } from '../sites/sites-store.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { lockPeople, selectPeople } from '../users/users-store.ts';
import { containsText, findInBatches, inBatches, upsert } from './batches.ts';
import type { AdminContext } from './context.ts';
import { flag, optional, required, text, toColumns, toEntry } from './fields.ts';
import type { EntryOf, Fields, Stored } from './fields.ts';
import { recordEndedSessions } from './operator-events.ts';
import { defineResource } from './resource.ts';
import type { Changes, Found, Planned, Resource } from './resource.ts';

const nameMaximumLength = 100;

/** A plausibility check: only sending a mail can prove that an address exists. */
const emailShape = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\.]+(?:\.[^\s@<>"(),:;[\]\\.]+)+$/u;

/** An e-mail has the maximum length of a user name, because users can enter it in the same field. */
const email = v.pipe(text(userNameMaximumLength), v.regex(emailShape, 'must be an e-mail address'));

/** Input may contain spaces, hyphens and brackets; the number is stored as E.164. */
const phoneNumber = v.pipe(
  text(40),
  v.transform(toDialable),
  v.string('must be a number with its country code, such as +442079460142 (E.164)'),
);

/** An opaque id in the format of those that the service creates. */
const id = v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/, 'must have 8 to 64 letters, digits, - or _'));

const passwordHash = v.optional(
  v.pipe(
    v.nullable(v.pipe(v.string('must be text'), v.trim())),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }): string | null => {
      if (value === null || value === '') return null;
      const parsed = parseImportedHash(value);
      if ('hash' in parsed) return parsed.hash;
      addIssue({ message: parsed.fault });
      return NEVER;
    }),
  ),
);

const fields = {
  userName: required('the name that the user signs in with', text(userNameMaximumLength), 'user_name'),
  firstName: required('first name', v.optional(text(nameMaximumLength)), 'first_name'),
  lastName: required('last name', v.optional(text(nameMaximumLength)), 'last_name'),
  email: optional('the address for messages, which is also a sign-in name', email, 'email'),
  boardsUserName: optional(
    'the user name in the board system, if it is different',
    text(userNameMaximumLength),
    'boards_user_name',
  ),
  phoneNumber: optional('for codes by SMS, with the country code: +44…', phoneNumber, 'phone_number'),
  signsInElsewhere: flag(
    "has no password here: the organisation's identity provider signs the user in",
    false,
  ),
  mustChangePassword: flag('must choose a new password at the next sign-in', false),
  disabled: flag('cannot sign in', false),
  passwordHash: {
    kind: 'text',
    help: 'the password hash of another system, which the first sign-in replaces',
    schema: passwordHash,
    initial: null,
    fromFile: true,
    isSecret: true,
  },
  id: {
    kind: 'text',
    help: 'the same in every region; generated if it is not given, and cannot be changed',
    schema: v.optional(id),
    initial: '',
  },
} satisfies Fields;

export type UserEntry = EntryOf<typeof fields>;
export type PresentUser = {
  id: string;
  createdAt: Date;
  /** The imported hash, until a sign-in replaces it. */
  importedHash: string | undefined;
  entry: Stored<UserEntry>;
};
type PlannedUser = Planned<UserEntry, PresentUser>;

/** The initial password of new accounts. */
export type FirstPassword = { hash: string; mustChange: boolean };
type Prepared = { firstPassword: FirstPassword; services: Services | undefined };

/**
 * The users. A new account has a random password that is not stored: the user chooses one through an invitation or through
 * "forgotten password".
 * @param firstPassword the initial password of new accounts
 * @param invited whether new users must be able to receive an invitation
 */
export function createUsers({
  firstPassword = hashUnknownPassword,
  invited = false,
}: {
  firstPassword?: (context: AdminContext) => Promise<FirstPassword>;
  invited?: boolean;
} = {}): Resource<PresentUser> {
  return defineResource<UserEntry, PresentUser, Prepared>({
    name: 'users',
    singular: 'user',
    summary: 'the accounts that sign in',
    keys: ['userName'],
    fields,
    importable: true,
    uniqueIn: (entry) =>
      nameKeysOf(entry).map((key, index) => ({ column: index === 0 ? 'userName' : 'email', reason: key })),
    filters: {
      site: { flags: '--site <site>', help: 'members of this site' },
      search: { flags: '--search <text>', help: 'a name or the e-mail contains this text' },
      disabled: { flags: '--disabled', help: 'only disabled users (--no-disabled: without them)' },
      bounced: {
        flags: '--bounced',
        help: 'only users whose mail bounced (--no-bounced: without them)',
      },
    },
    switchHelp: {
      disable: 'the user can no longer sign in, and is signed out everywhere',
      enable: 'the user can sign in again',
    },
    removeHelp: "delete the account and the user's data, for example for an erasure request; sessions end",
    toDisabled: (disabled) => ({ disabled }),

    async findPage(database, { site, search, disabled, bounced }, after, size) {
      let query = selectUsers(database).orderBy('user_name').limit(size);
      if (after?.userName !== undefined) query = query.where('user_name', '>', after.userName);
      if (typeof site === 'string')
        query = query.where('people.id', 'in', (members) =>
          members
            .selectFrom('memberships')
            .innerJoin('sites', 'sites.id', 'memberships.site_id')
            .select('memberships.person_id')
            .where('sites.name', '=', siteNameKey(site)),
        );
      if (typeof search === 'string')
        query = query.where(containsText(['user_name', 'email', 'first_name', 'last_name'], search));
      if (disabled !== undefined)
        query = query.where('people.status', '=', disabled === true ? 'disabled' : 'active');
      if (bounced !== undefined)
        query = query.where(
          sql<boolean>`exists (
            select 1 from mail_bounces where person_id = people.id and address = people.email
          ) = ${bounced === true}`,
        );
      return (await query.execute()).map(toPresent);
    },
    find: findUsers,
    names: async (database, { from, to }) =>
      (
        await database
          .selectFrom('sign_in_names')
          .select('name_key')
          .where((where) => where.between(where.fn('length', ['name_key']), from, to))
          .limit(50_000)
          .execute()
      ).map((row) => row.name_key),

    async prepare(context, { mayWrite }) {
      if (!mayWrite) return { firstPassword: { hash: '', mustChange: false }, services: undefined };
      return { firstPassword: await firstPassword(context), services: await context.services() };
    },
    async check(planned, { transaction, report }) {
      for (const user of planned) {
        const { entry, present } = user;
        if (entry.signsInElsewhere && typeof entry.passwordHash === 'string')
          report(user, 'passwordHash', 'users who sign in elsewhere have no password here');
        if (entry.signsInElsewhere && entry.mustChangePassword && present?.entry.mustChangePassword !== true)
          report(user, 'mustChangePassword', 'there is no password to change');
        if (!invited || present !== undefined) continue;
        if (entry.email === null) report(user, 'email', 'is required for an invitation');
        if (entry.signsInElsewhere)
          report(user, 'signsInElsewhere', 'users who sign in elsewhere are not invited');
        if (entry.disabled) report(user, 'disabled', 'disabled users are not invited');
      }
      await refuseManyArgon2Kinds(transaction, planned, report);
      await refuseTakenEmails(transaction, planned, report);
    },
    async write(planned, { transaction, prepared: { firstPassword: first, services }, now, onWritten }) {
      if (services === undefined) return;
      await endAccess(transaction, planned, services);
      for (const batch of inBatches(planned)) {
        await upsert(
          transaction,
          'people',
          ['id'],
          batch.map((user) => toRow(user, now)),
        );
        await writeNames(transaction, batch);
        await writeCredentials(transaction, batch, first, now);
        await onWritten(batch.length);
      }
    },
    endsSessions: ({ present }) => present !== undefined,

    async remove({ id: userId }, { context, transaction, now }) {
      const ended = await endSessions(transaction, { personId: userId }, now);
      await recordEndedSessions(context, transaction, ended);
      const { count } = await transaction
        .selectFrom('memberships')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('person_id', '=', userId)
        .executeTakeFirstOrThrow();
      // the user's other data is deleted by foreign keys (ON DELETE CASCADE)
      await transaction.deleteFrom('region_departures').where('person_id', '=', userId).execute();
      await transaction.deleteFrom('region_arrivals').where('person_id', '=', userId).execute();
      await transaction.deleteFrom('people').where('id', '=', userId).execute();
      const { days } = context.config.audit;
      return {
        deleted: { account: 1, memberships: Number(count), sessions: ended.length },
        kept: [
          `audit events with the account's id ${userId} and no name, for ${days} days, as evidence`,
          'backups of the database, until they expire',
        ],
      };
    },
  });
}

export const users = createUsers();

/** The hash of 256 random bits that are not stored. All users without a password of their own share it. */
async function hashUnknownPassword(context: AdminContext): Promise<FirstPassword> {
  const { passwords, random } = await context.services();
  return { hash: await passwords.hash(random.token()), mustChange: false };
}

async function findUsers(database: Database, entries: readonly UserEntry[]) {
  const owners = await findOwners(database, entries.flatMap(nameKeysOf));
  const given = entries.flatMap((entry) => entry.id ?? []);
  const found = await findInBatches([...owners.values(), ...given], (batch) =>
    selectUsers(database).where('people.id', 'in', batch).execute(),
  );
  const present = new Map(found.map((row) => [row.id, toPresent(row)]));
  const newIds = new Set<string>();
  return (entry: UserEntry): Found<PresentUser> => {
    const known = present.get(owners.get(signInNameKey(entry.userName)) ?? '');
    const fault = (column: string, reason: string): Found<PresentUser> => ({ faults: [{ column, reason }] });
    if (known === undefined) {
      const personId = entry.id ?? secureRandom.token(16);
      const owner = present.get(personId)?.entry.userName;
      if (owner !== undefined || newIds.has(personId))
        return fault('id', `is the id of ${owner ?? 'another user in this file'}`);
      newIds.add(personId);
      return { target: { personId } };
    }
    const { id: personId, entry: stored } = known;
    if (entry.id !== undefined && entry.id !== personId)
      return fault('id', `is not the id of ${stored.userName}, which never changes`);
    const isOtherHash = findHashToReplace(known, entry) !== undefined;
    const changes: Changes = isOtherHash ? { passwordHash: { from: 'a hash', to: 'another hash' } } : {};
    const found = { present: known, target: { personId }, changes };
    const isUserName = signInNameKey(stored.userName) === signInNameKey(entry.userName);
    return isUserName
      ? found
      : { ...found, alias: { column: 'userName', reason: `is the e-mail of ${stored.userName}` } };
  };
}

/**
 * An imported hash replaces another imported hash, but never the hash of a password that was used or chosen in this
 * service.
 */
function findHashToReplace(
  { importedHash }: PresentUser,
  { passwordHash: given }: Pick<UserEntry, 'passwordHash'>,
): string | undefined {
  return typeof given === 'string' && given !== importedHash ? importedHash : undefined;
}

/**
 * The number is limited, because every sign-in attempt computes one hash for each stored kind of Argon2
 * (`passwords/hash-work.ts`).
 */
const maximumArgon2Kinds = 4;

async function refuseManyArgon2Kinds(
  transaction: DatabaseTransaction,
  planned: readonly PlannedUser[],
  report: (user: PlannedUser, column: string, reason: string) => void,
): Promise<void> {
  const isArgon2 = (kind: string): boolean => kind.startsWith('$argon2');
  const withArgon2 = planned.filter(({ entry }) => isArgon2(entry.passwordHash ?? ''));
  if (withArgon2.length === 0) return;
  const kinds = new Set([...(await findStoredKinds(transaction))].filter(isArgon2));
  for (const user of withArgon2)
    if (kinds.add(kindOf(user.entry.passwordHash ?? '')).size > maximumArgon2Kinds)
      report(
        user,
        'passwordHash',
        `there would be more than ${maximumArgon2Kinds} kinds of Argon2 parameters`,
      );
}

/** An e-mail is a sign-in name, so no other user may have it, unless the same file releases it. */
async function refuseTakenEmails(
  transaction: DatabaseTransaction,
  planned: readonly PlannedUser[],
  report: (user: PlannedUser, column: string, reason: string) => void,
): Promise<void> {
  const owners = await findOwners(
    transaction,
    planned.flatMap(({ entry }) => entry.email ?? []),
  );
  const released = new Set(planned.flatMap(releasedNames));
  const foreign = planned.flatMap((user) => {
    const key = user.entry.email === null ? undefined : signInNameKey(user.entry.email);
    const owner = key === undefined || released.has(key) ? undefined : owners.get(key);
    return owner === undefined || owner === user.target.personId ? [] : [{ user, owner }];
  });
  const rows = await findInBatches(
    foreign.map(({ owner }) => owner),
    (batch) => selectUsers(transaction).where('people.id', 'in', batch).execute(),
  );
  const names = new Map(rows.map((row) => [row.id, row.user_name]));
  for (const { user, owner } of foreign)
    report(user, 'email', `is already a sign-in name of ${names.get(owner)}`);
}

/** The ids of accounts by the keys of their user names and e-mails. */
export async function findOwners(database: Database, names: Iterable<string>): Promise<Map<string, string>> {
  const found = await findInBatches([...names].map(signInNameKey), (batch) =>
    database.selectFrom('sign_in_names').selectAll().where('name_key', 'in', batch).execute(),
  );
  return new Map(found.map((row) => [row.name_key, row.person_id]));
}

/** User names and e-mails share one namespace. */
function nameKeysOf({ userName, email: address }: Pick<UserEntry, 'userName' | 'email'>): string[] {
  const names = typeof address === 'string' ? [userName, address] : [userName];
  return [...new Set(names.map(signInNameKey))];
}

function releasedNames({ present, entry }: PlannedUser): string[] {
  if (present === undefined) return [];
  const kept = nameKeysOf(entry);
  return nameKeysOf(present.entry).filter((key) => !kept.includes(key));
}

/** Revokes what a change invalidates: sign-in names, links and codes that were sent to an old address, sessions, passwords. */
async function endAccess(
  transaction: DatabaseTransaction,
  planned: readonly PlannedUser[],
  services: Pick<Services, 'clock' | 'secondFactor'>,
): Promise<void> {
  // Locks the users first, so that a concurrent recovery link is either issued before and deleted below, or issued
  // after for the new address.
  await lockPeople(
    transaction,
    idsWhere(planned, () => true),
  );
  for (const batch of inBatches(planned.flatMap(releasedNames)))
    await transaction.deleteFrom('sign_in_names').where('name_key', 'in', batch).execute();
  for (const batch of inBatches(idsWhere(planned, (entry, present) => entry.email !== present.email))) {
    for (const table of ['password_links', 'invitations', 'mail_bounces'] as const)
      await transaction.deleteFrom(table).where('person_id', 'in', batch).execute();
    await deleteRefusals(transaction, batch);
  }
  const withOtherNumber = idsWhere(planned, (entry, present) => entry.phoneNumber !== present.phoneNumber);
  for (const batch of inBatches(withOtherNumber))
    await transaction.deleteFrom('one_time_codes').where('person_id', 'in', batch).execute();
  // The user can still reject an earlier change by link. The rejection must not revert the number that the operator
  // set.
  for (const batch of inBatches(withOtherNumber))
    await transaction
      .updateTable('people')
      .set({ phone_number_set_at: null })
      .where('id', 'in', batch)
      .execute();
  const hasNoAccess = ({ disabled, signsInElsewhere }: Stored<UserEntry>): boolean =>
    disabled || signsInElsewhere;
  const withoutAccess = idsWhere(planned, (entry, present) => hasNoAccess(entry) && !hasNoAccess(present));
  const withOtherHash = planned.flatMap(({ present, entry }) =>
    present !== undefined && findHashToReplace(present, entry) !== undefined ? [present.id] : [],
  );
  for (const userId of new Set([...withOtherNumber, ...withoutAccess, ...withOtherHash]))
    await revokeAccess(services, transaction, userId);
  const elsewhere = idsWhere(
    planned,
    (entry, present) => entry.signsInElsewhere && !present.signsInElsewhere,
  );
  for (const batch of inBatches(elsewhere))
    for (const table of ['credentials', 'previous_passwords', 'password_links', 'invitations'] as const)
      await transaction.deleteFrom(table).where('person_id', 'in', batch).execute();
}

function idsWhere(
  planned: readonly PlannedUser[],
  predicate: (entry: Stored<UserEntry>, present: Stored<UserEntry>) => boolean,
): string[] {
  return planned.flatMap(({ present, entry }) =>
    present !== undefined && predicate(entry, present.entry) ? [present.id] : [],
  );
}

async function writeNames(transaction: DatabaseTransaction, batch: readonly PlannedUser[]): Promise<void> {
  const names = batch.flatMap(({ present, entry, target }) => {
    const had = present === undefined ? [] : nameKeysOf(present.entry);
    return nameKeysOf(entry)
      .filter((key) => !had.includes(key))
      .map((key) => ({ name_key: key, person_id: target.personId ?? '' }));
  });
  if (names.length > 0) await transaction.insertInto('sign_in_names').values(names).execute();
}

async function writeCredentials(
  transaction: DatabaseTransaction,
  batch: readonly PlannedUser[],
  { hash, mustChange }: FirstPassword,
  now: Date,
): Promise<void> {
  const fresh = batch.filter(
    ({ present, entry }) => !entry.signsInElsewhere && (present?.entry.signsInElsewhere ?? true),
  );
  const rows = fresh.map(({ entry, target }) => ({
    person_id: target.personId ?? '',
    password_hash: entry.passwordHash ?? hash,
    must_change: mustChange || entry.mustChangePassword,
    changed_at: now,
  }));
  if (rows.length > 0) await transaction.insertInto('credentials').values(rows).execute();
  const replaced = batch.flatMap(({ present, entry }) => {
    const stored = present && findHashToReplace(present, entry);
    return stored === undefined ? [] : [{ id: present?.id, stored, given: entry.passwordHash }];
  });
  if (replaced.length > 0)
    // a concurrent sign-in or password change takes precedence
    await sql`update credentials set password_hash = given, changed_at = ${now}
      from json_to_recordset(${JSON.stringify(replaced)}) as hashes (id text, stored text, given text)
      where person_id = id and password_hash = stored`.execute(transaction);
  for (const must of [true, false]) {
    const ids = idsWhere(
      batch,
      (entry, present) =>
        !present.signsInElsewhere &&
        entry.mustChangePassword === must &&
        entry.mustChangePassword !== present.mustChangePassword,
    );
    if (ids.length > 0)
      await transaction
        .updateTable('credentials')
        .set({ must_change: must })
        .where('person_id', 'in', ids)
        .execute();
  }
}

function selectUsers(database: Database) {
  return selectPeople(database).selectAll('people').select('credentials.password_hash');
}

type UserRow = Awaited<ReturnType<ReturnType<typeof selectUsers>['execute']>>[number];

function toPresent(row: UserRow): PresentUser {
  const entry = toEntry(fields, row, {
    signsInElsewhere: row.password_hash === null,
    mustChangePassword: row.must_change ?? false,
    disabled: row.status === 'disabled',
    id: row.id,
  });
  const hash = row.password_hash ?? undefined;
  const importedHash = hash?.startsWith('$argon2') === true ? undefined : hash;
  return { id: row.id, createdAt: row.created_at, importedHash, entry };
}

function toRow({ entry, target }: PlannedUser, now: Date): Record<string, unknown> {
  return {
    ...toColumns(fields, entry),
    id: target.personId,
    status: entry.disabled ? 'disabled' : 'active',
    created_at: now,
    updated_at: now,
  };
}
