import { siteNameMaximumLength, userNameMaximumLength } from '@anteroom/contract';
import { sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import * as v from 'valibot';
import { signInNameKey } from '../lib/names.ts';
import { secureRandom } from '../lib/random.ts';
import { endSessions, revokeAccess } from '../sign-out/end-sessions.ts';
import { kindOf } from '../passwords/hash-work.ts';
import { parseImportedHash } from '../passwords/imported-hash.ts';
import { deleteRefusals } from '../passwords/refusal-links.ts';
import { findStoredKinds } from '../passwords/stored-kinds.ts';
import { removePasskeys } from '../factors/passkeys-store.ts';
import { parsePhoneNumber } from '../factors/phone-number.ts';
import type { Services } from '../services.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { lockUsers, selectUsersOnly } from '../users/users-store.ts';
import { siteNameKey } from '../sites/sites-store.ts';
import { containsText, findInBatches, inBatches, upsert } from './batches.ts';
import { countPeople } from './added-people.ts';
import { queueMailsOfChange } from './change-mails.ts';
import type { AdminContext } from './admin-context.ts';
import {
  findInvisibleFault,
  flag,
  optional,
  required,
  text,
  toColumns,
  toEntry,
  visibleText,
} from './fields.ts';
import type { EntryOf, Fields, Stored } from './fields.ts';
import { isInvitationOpen } from './invitations.ts';
import { recordEndedSessions } from './operator-events.ts';
import { sendPasswordMail } from './password-mails.ts';
import { permit } from './actor.ts';
import type { Scope } from './permissions.ts';
import { RefusedError } from './problems.ts';
import { defineResource } from './resource.ts';
import type { Changes, Fault, Found, Planned, Resource } from './resource.ts';
import { heldRoles, isManagedWithin, isMemberWithin, mayGrant, refuseWithoutLastOwner } from './scopes.ts';
import type { HeldRole } from './scopes.ts';
import { findSitesByName, namesWithin } from './sites.ts';

const nameMaximumLength = 100;
export const searchedColumns = ['user_name', 'email', 'first_name', 'last_name'] as const;

/** A plausibility check: only sending a mail can prove that an address exists. */
const emailShape = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\.]+(?:\.[^\s@<>"(),:;[\]\\.]+)+$/u;

/** An e-mail has the maximum length of a user name, because users can enter it in the same field. */
const email = v.pipe(visibleText(userNameMaximumLength), v.regex(emailShape, 'must be an e-mail address'));

/** Input may contain spaces, hyphens, slashes and brackets; the number is stored as E.164. */
const phoneNumber = v.pipe(
  text(60),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const parsed = parsePhoneNumber(value);
    if ('phoneNumber' in parsed) return parsed.phoneNumber;
    addIssue({ message: parsed.fault });
    return NEVER;
  }),
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
  homeSite: optional(
    'the site that the account belongs to, whose administrators may change it',
    v.pipe(text(siteNameMaximumLength), v.transform(siteNameKey)),
  ),
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
  /** Whether the actor may change the account (`scopes.ts`). */
  isManaged: boolean;
  roles: readonly HeldRole[];
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
    importedTables: ['users', 'sign_in_names', 'credentials'],
    operations: { read: 'users:read', change: 'users:write', remove: 'users:remove' },
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
      invited: {
        flags: '--invited',
        help: 'only users who have not accepted their invitation, also an expired one (--no-invited: without them)',
      },
    },
    switchHelp: {
      disable: 'the user can no longer sign in, and is signed out everywhere',
      enable: 'the user can sign in again',
    },
    removeHelp: "delete the account and the user's data, for example for an erasure request; sessions end",

    async findPage(database, { site, search, disabled, bounced, invited: isInvited }, after, size, scope) {
      let query = selectUsers(database, scope).orderBy('user_name').limit(size);
      if (scope !== 'all') query = query.where(isMemberWithin(scope));
      if (after?.userName !== undefined) query = query.where('user_name', '>', after.userName);
      if (typeof site === 'string')
        query = query.where('users.id', 'in', (members) =>
          members
            .selectFrom('memberships')
            .innerJoin('sites', 'sites.id', 'memberships.site_id')
            .select('memberships.user_id')
            .where('sites.name', '=', sql<string>`any(${namesWithin(site, scope)})`),
        );
      if (typeof search === 'string') query = query.where(isFoundBy(search, scope));
      if (disabled !== undefined)
        query = query.where('users.status', '=', disabled === true ? 'disabled' : 'active');
      if (bounced !== undefined)
        query = query.where(
          sql<boolean>`exists (
            select 1 from mail_bounces where user_id = users.id and address = users.email
          ) = ${bounced === true}`,
        );
      if (isInvited !== undefined)
        query = query.where(sql<boolean>`${isInvitationOpen} = ${isInvited === true}`);
      return (await query.execute()).map(toPresent);
    },
    find: findUsers,
    async findAt(database, { id = '' }, scope) {
      const present = await findVisible(database, id, scope);
      return present && { present, target: { userId: id } };
    },
    facts: { createdAt: ({ createdAt }) => createdAt.toISOString() },
    view: ({ entry, isManaged }) => (isManaged ? entry : pick(entry, reducedFields)),
    describeItems: (_database, page) => Promise.resolve(page.map(({ isManaged }) => ({ isManaged }))),
    findObjection: findObjectionToChange,
    names: async (database, { from, to }) =>
      (
        await database
          .selectFrom('sign_in_names')
          .select('name_key')
          .where((where) => where.between(where.fn('length', ['name_key']), from, to))
          .limit(50_000)
          .execute()
      ).map((row) => row.name_key),

    async prepare(context, { mayWrite, rows, scope }) {
      // The answer tells for each address whether there is an account.
      if (scope !== 'all')
        await countPeople(context, rows.filter(({ email: address }) => address !== undefined).length);
      if (!mayWrite) return { firstPassword: { hash: '', mustChange: false }, services: undefined };
      return { firstPassword: await firstPassword(context), services: await context.services() };
    },
    async check(planned, { context, transaction, report, scope }) {
      const homes = await findSitesByName(
        transaction,
        planned.flatMap(({ entry }) => entry.homeSite ?? []),
      );
      for (const user of planned) {
        const { entry, present } = user;
        if (present !== undefined && entry.id !== present.id)
          report(user, 'id', `is not the id of ${present.entry.userName}, which never changes`);
        if (present !== undefined && hasNoAccess(entry) && !hasNoAccess(present.entry))
          await refuseWithoutLastOwner(context, transaction, present.id);
        if (scope !== 'all')
          for (const field of ownersFields)
            if (entry[field] !== (present?.entry[field] ?? fields[field].initial))
              report(user, field, 'may not be changed by an administrator', { kind: 'forbidden' });
        if (entry.homeSite !== null && !homes.has(entry.homeSite))
          report(user, 'homeSite', `there is no site ${entry.homeSite}`);
        if (
          isGivenAway(user, scope) &&
          signInNameKey(entry.userName) === signInNameKey(present?.entry.email ?? '')
        )
          entry.userName = entry.email ?? entry.userName;
        const invisible = present === undefined && findInvisibleFault(entry.userName);
        if (typeof invisible === 'string') report(user, 'userName', invisible);
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
      await refuseTakenEmails(transaction, planned, report, scope);
    },
    async write(
      planned,
      { context, transaction, prepared: { firstPassword: first, services }, scope, now, onWritten },
    ) {
      if (services === undefined) return;
      const givenAway = planned.filter((user) => isGivenAway(user, scope));
      for (const { entry } of givenAway) entry.phoneNumber = null;
      await endAccess(transaction, planned, services);
      for (const { present } of givenAway)
        if (present !== undefined) await removeCredentials(transaction, present.id, services, first.hash);
      const homes = await findSitesByName(
        transaction,
        planned.flatMap(({ entry }) => entry.homeSite ?? []),
      );
      for (const batch of inBatches(planned)) {
        await upsert(
          transaction,
          'users',
          ['id'],
          batch.map((user) => ({
            ...toRow(user, now),
            home_site_id: homes.get(user.entry.homeSite ?? '')?.row.id ?? null,
          })),
        );
        await writeNames(transaction, batch);
        await writeCredentials(transaction, batch, first, now);
        await onWritten(batch.length);
      }
      const { language } = context.operation.actor;
      for (const { present, entry } of planned)
        if (present !== undefined)
          await queueMailsOfChange(services, transaction, { before: present.entry, after: entry, language });
    },
    endsSessions: ({ present }) => present !== undefined,
    async afterwards(context, planned, scope) {
      // The service sends the mails of an import, so that the command does not wait for them.
      if (planned.length === 1) (await context.services()).notices.sendDue();
      for (const user of planned)
        if (isGivenAway(user, scope) && !user.entry.signsInElsewhere)
          await sendPasswordMail(context, user.target.userId ?? '', { isInvitation: true });
    },

    async remove({ id: userId }, { context, transaction, now }) {
      await refuseWithoutLastOwner(context, transaction, userId);
      const ended = await endSessions(transaction, { userId: userId }, now);
      await recordEndedSessions(context, transaction, ended);
      const { count } = await transaction
        .selectFrom('memberships')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      // the user's other data is deleted by foreign keys (ON DELETE CASCADE)
      await transaction.deleteFrom('region_departures').where('user_id', '=', userId).execute();
      await transaction.deleteFrom('region_arrivals').where('user_id', '=', userId).execute();
      await transaction.deleteFrom('users').where('id', '=', userId).execute();
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

/** What administrators must not change: these fields decide who manages an account, and who it is in other systems. */
const ownersFields = ['homeSite', 'boardsUserName', 'signsInElsewhere'] as const;

/** What an administrator sees of an account that also belongs to others. */
const reducedFields = ['id', 'userName', 'firstName', 'lastName', 'email'] as const;

function pick(entry: Stored<UserEntry>, names: readonly (keyof UserEntry)[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, entry[name]]));
}

/** Why the actor must not change, remove or help the user. */
export function findObjectionToChange(
  { isManaged, roles }: Pick<PresentUser, 'isManaged' | 'roles'>,
  { context: { operation } }: { context: Pick<AdminContext, 'operation'> },
): Fault | undefined {
  if (!isManaged)
    return {
      column: 'userName',
      reason: 'the account also belongs to others, so an administrator of this site may not change it',
      code: 'not-managed',
      kind: 'forbidden',
    };
  return roles.every((role) => mayGrant(operation.actor, role))
    ? undefined
    : { column: 'userName', reason: 'the account has a role that you may not give', kind: 'forbidden' };
}

/** A name, an e-mail, the id of an account, or the correlation id of an attempt. */
function isFoundBy(search: string, scope: Scope): Expression<SqlBool> {
  const text = search.trim();
  const attempts = sql`select user_id from audit_events where correlation_id = ${text}
    ${scope === 'all' ? sql`` : sql`and site = any(${[...scope]}::text[])`}`;
  // The stored names are folded already, which takes a fifth less time than folding user names and e-mails here. One
  // list, because PostgreSQL would execute each of several conditions again for each user, from 300,000 users on.
  return sql<SqlBool>`users.id in (
    select user_id from sign_in_names where strpos(name_key, ${signInNameKey(text)}) > 0
    union all select id from users where ${containsText(['first_name', 'last_name'], text)}
    union all select ${text}
    union all ${attempts})`;
}

/** An account that an administrator gives another address is no longer of the same person. */
function isGivenAway({ entry, present }: PlannedUser, scope: Scope): boolean {
  return scope !== 'all' && present !== undefined && entry.email !== present.entry.email;
}

/** Nothing with which somebody could have prepared the account for its next owner stays. */
async function removeCredentials(
  transaction: DatabaseTransaction,
  userId: string,
  services: Pick<Services, 'clock' | 'factors'>,
  unknownHash: string,
): Promise<void> {
  await revokeAccess(services, transaction, userId);
  await removePasskeys(transaction, userId, 'all');
  await services.factors.apps.remove(transaction, userId);
  for (const table of ['previous_passwords', 'external_identities', 'one_time_codes'] as const)
    await transaction.deleteFrom(table).where('user_id', '=', userId).execute();
  await transaction
    .updateTable('credentials')
    .set({ password_hash: unknownHash, must_change: false, changed_at: services.clock.now() })
    .where('user_id', '=', userId)
    .execute();
}

async function findUsers(database: Database, entries: readonly UserEntry[], scope: Scope) {
  const ownerOf = await findOwners(
    database,
    entries.map(({ userName }) => userName),
  );
  const given = entries.flatMap((entry) => entry.id ?? []);
  const found = await findInBatches(
    [...entries.flatMap(({ userName }) => ownerOf(userName) ?? []), ...given],
    (batch) => selectUsers(database, scope).where('users.id', 'in', batch).execute(),
  );
  const visible = found.filter((row) => row.is_visible);
  const present = new Map(visible.map((row) => [row.id, toPresent(row)]));
  const newIds = new Set<string>();
  return (entry: UserEntry): Found<PresentUser> => {
    const known = present.get(ownerOf(entry.userName) ?? '');
    const fault = (column: string, reason: string): Found<PresentUser> => ({ faults: [{ column, reason }] });
    if (known === undefined) {
      const userId = entry.id ?? secureRandom.token(16);
      const owner = present.get(userId)?.entry.userName;
      if (owner !== undefined || newIds.has(userId))
        return fault('id', `is the id of ${owner ?? 'another user in this file'}`);
      newIds.add(userId);
      return { target: { userId } };
    }
    const { id: userId, entry: stored } = known;
    const isOtherHash = findHashToReplace(known, entry) !== undefined;
    const changes: Changes = isOtherHash ? { passwordHash: { from: 'a hash', to: 'another hash' } } : {};
    const found = { present: known, target: { userId }, changes };
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
  report: (user: PlannedUser, column: string, reason: string, more?: Pick<Fault, 'code' | 'kind'>) => void,
  scope: Scope,
): Promise<void> {
  const ownerOf = await findOwners(
    transaction,
    planned.flatMap(({ entry }) => entry.email ?? []),
  );
  const pairOf = (userId: string, key: string): string => `${userId} ${key}`;
  const released = new Set(planned.flatMap(releasedNames).map((one) => pairOf(one.user_id, one.name_key)));
  const foreign = planned.flatMap((user) => {
    const { email: address } = user.entry;
    const owner = address === null ? undefined : ownerOf(address);
    if (address === null || owner === undefined || owner === user.target.userId) return [];
    return released.has(pairOf(owner, signInNameKey(address))) ? [] : [{ user, owner }];
  });
  const rows = await findInBatches(
    foreign.map(({ owner }) => owner),
    (batch) => selectUsers(transaction).where('users.id', 'in', batch).execute(),
  );
  const names = new Map(rows.map((row) => [row.id, row.user_name]));
  for (const { user, owner } of foreign)
    report(
      user,
      'email',
      scope === 'all' ? `is already a sign-in name of ${names.get(owner)}` : 'is already in use',
      { code: 'taken', kind: 'conflict' },
    );
}

/** Finds the ids of the accounts with these user names and e-mails. */
async function findOwners(
  database: Database,
  names: readonly string[],
): Promise<(name: string) => string | undefined> {
  const found = await findInBatches(names.map(signInNameKey), (batch) =>
    database.selectFrom('sign_in_names').selectAll().where('name_key', 'in', batch).execute(),
  );
  const owners = new Map(found.map((row) => [row.name_key, row.user_id]));
  return (name) => owners.get(signInNameKey(name));
}

/** User names and e-mails share one namespace. */
function namesOf({ userName, email: address }: Pick<UserEntry, 'userName' | 'email'>): string[] {
  return typeof address === 'string' ? [userName, address] : [userName];
}

function nameKeysOf(entry: Pick<UserEntry, 'userName' | 'email'>): string[] {
  return [...new Set(namesOf(entry).map(signInNameKey))];
}

/** The sign-in names that a user loses. */
function releasedNames({ present, entry }: PlannedUser): { name_key: string; user_id: string }[] {
  if (present === undefined) return [];
  const kept = nameKeysOf(entry);
  return nameKeysOf(present.entry)
    .filter((key) => !kept.includes(key))
    .map((key) => ({ name_key: key, user_id: present.id }));
}

/** Whether the account has no password here with which the user can sign in. */
const hasNoAccess = ({ disabled, signsInElsewhere }: Stored<UserEntry>): boolean =>
  disabled || signsInElsewhere;

/** Revokes what a change invalidates: sign-in names, links and codes that were sent to an old address, sessions, passwords. */
async function endAccess(
  transaction: DatabaseTransaction,
  planned: readonly PlannedUser[],
  services: Pick<Services, 'clock' | 'factors'>,
): Promise<void> {
  // Locks the users first, so that a concurrent recovery link is either issued before and deleted below, or issued
  // after for the new address.
  await lockUsers(
    transaction,
    idsWhere(planned, () => true),
  );
  for (const batch of inBatches(planned.flatMap(releasedNames)))
    await sql`
      delete from sign_in_names as stored
      using json_to_recordset(${JSON.stringify(batch)}) as released (name_key text, user_id text)
      where stored.name_key = released.name_key and stored.user_id = released.user_id`.execute(transaction);
  for (const batch of inBatches(idsWhere(planned, (entry, present) => entry.email !== present.email))) {
    for (const table of ['password_links', 'invitations', 'mail_bounces'] as const)
      await transaction.deleteFrom(table).where('user_id', 'in', batch).execute();
    await deleteRefusals(transaction, batch);
  }
  const withOtherNumber = idsWhere(planned, (entry, present) => entry.phoneNumber !== present.phoneNumber);
  for (const batch of inBatches(withOtherNumber))
    await transaction.deleteFrom('one_time_codes').where('user_id', 'in', batch).execute();
  // The user can still reject an earlier change by link. The rejection must not revert the number that the operator
  // set.
  for (const batch of inBatches(withOtherNumber))
    await transaction
      .updateTable('users')
      .set({ phone_number_set_at: null })
      .where('id', 'in', batch)
      .execute();
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
      await transaction.deleteFrom(table).where('user_id', 'in', batch).execute();
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
      .map((key) => ({ name_key: key, user_id: target.userId ?? '' }));
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
    user_id: target.userId ?? '',
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
      where user_id = id and password_hash = stored`.execute(transaction);
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
        .where('user_id', 'in', ids)
        .execute();
  }
}

export function selectUsers(database: Database, scope: Scope = 'all') {
  return selectUsersOnly(database)
    .leftJoin('sites as homes', 'homes.id', 'users.home_site_id')
    .selectAll('users')
    .select([
      'credentials.password_hash',
      'homes.name as home_site',
      heldRoles.as('held_roles'),
      isManagedWithin(scope).as('is_managed'),
      isMemberWithin(scope).as('is_visible'),
    ]);
}

async function findVisible(database: Database, id: string, scope: Scope): Promise<PresentUser | undefined> {
  const row = await selectUsers(database, scope).where('users.id', '=', id).executeTakeFirst();
  return row?.is_visible === true ? toPresent(row) : undefined;
}

/** @throws RefusedError if there is no such user within the scope */
export async function requireUserById(database: Database, id: string, scope: Scope): Promise<PresentUser> {
  const user = await findVisible(database, id, scope);
  if (user === undefined) throw new RefusedError(`there is no user ${id}`, { kind: 'missing' });
  return user;
}

/** A user as the caller knows it: by what an operator typed, or by the id, which never belongs to another account. */
export type UserReference = { name: string } | { id: string };

/**
 * The user whom an operation other than a save acts on.
 * @throws RefusedError if the actor may not do the operation, or not with this user
 */
export async function requireUserFor(
  context: AdminContext,
  operation: 'users:read' | 'users:help' | 'users:factors' | 'users:remove',
  reference: UserReference,
  database: Database = context.database,
): Promise<PresentUser> {
  const scope = permit(context, operation);
  const user =
    'id' in reference
      ? await requireUserById(database, reference.id, scope)
      : await users.require(database, { userName: reference.name }, scope);
  // A link to the stored address gives its sender nothing.
  const isHarmless = operation === 'users:read' || operation === 'users:help';
  const objection = isHarmless ? undefined : findObjectionToChange(user, { context });
  if (objection !== undefined) throw new RefusedError([objection]);
  return user;
}

type UserRow = Awaited<ReturnType<ReturnType<typeof selectUsers>['execute']>>[number];

function toPresent(row: UserRow): PresentUser {
  const entry = toEntry(fields, row, {
    signsInElsewhere: row.password_hash === null,
    mustChangePassword: row.must_change ?? false,
    disabled: row.status === 'disabled',
    homeSite: row.home_site,
    id: row.id,
  });
  const hash = row.password_hash ?? undefined;
  const importedHash = hash?.startsWith('$argon2') === true ? undefined : hash;
  return {
    id: row.id,
    createdAt: row.created_at,
    importedHash,
    isManaged: row.is_managed,
    roles: row.held_roles,
    entry,
  };
}

function toRow({ entry, target }: PlannedUser, now: Date): Record<string, unknown> {
  return {
    ...toColumns(fields, entry),
    id: target.userId,
    status: entry.disabled ? 'disabled' : 'active',
    created_at: now,
    updated_at: now,
  };
}
