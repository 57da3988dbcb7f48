import { signInNameKey } from '../../lib/sign-in-name.ts';
import { selectPeople } from '../../users/users-store.ts';
import { siteNameKey } from '../../sites/sites-store.ts';
import type { Database, DatabaseTransaction, PersonStatus } from '../../store/schema.ts';
import { findInBatches, pageThrough } from '../batches.ts';
import type { PersonEntry } from './person-entry.ts';

type PersonRow = {
  id: string;
  user_name: string;
  email: string | null;
  first_name: string;
  last_name: string;
  boards_user_name: string | null;
  phone_number: string | null;
  status: PersonStatus;
  created_at: Date;
  credentials_of: string | null;
  must_change: boolean | null;
};

/** A person as they are kept, said as an entry says it. */
export type PresentPerson = { id: string; createdAt: Date; entry: Required<PersonEntry> };

/** Whom sign-in names belong to. */
export async function findOwners(
  database: Database | DatabaseTransaction,
  nameKeys: Iterable<string>,
): Promise<Map<string, string>> {
  const found = await findInBatches(nameKeys, (batch) =>
    database.selectFrom('sign_in_names').selectAll().where('name_key', 'in', batch).execute(),
  );
  return new Map(found.map((row) => [row.name_key, row.person_id]));
}

export async function findPeopleById(
  database: Database | DatabaseTransaction,
  ids: Iterable<string>,
): Promise<Map<string, PresentPerson>> {
  const found = await findInBatches(ids, (batch) =>
    selectPresent(database).where('people.id', 'in', batch).execute(),
  );
  return new Map(found.map((row) => [row.id, toPresent(row)]));
}

const pageSize = 5000;

export const personFilters = {
  site: { flags: '--site <site>', help: 'who belong to it' },
  search: { flags: '--search <text>', help: 'with this in a name or the e-mail' },
  disabled: { flags: '--disabled', help: 'disabled ones alone (--no-disabled: without them)' },
};

export async function* listPeople(
  database: Database,
  { site, search, disabled, after, limit }: Readonly<Record<string, string | boolean | undefined>>,
): AsyncGenerator<PersonEntry> {
  const start = typeof after === 'string' ? { user_name: after, id: undefined } : undefined;
  const found = pageThrough(
    (last: PersonRow | undefined, size) => {
      let query = selectPresent(database).orderBy('user_name').orderBy('people.id').limit(size);
      const from = last ?? start;
      if (from?.id !== undefined) {
        const { user_name: name, id } = from;
        query = query.where((where) =>
          where(where.refTuple('people.user_name', 'people.id'), '>', where.tuple(name, id)),
        );
      } else if (from !== undefined) query = query.where('people.user_name', '>', from.user_name);
      if (typeof site === 'string') {
        query = query.where('people.id', 'in', (members) =>
          members
            .selectFrom('memberships')
            .innerJoin('sites', 'sites.id', 'memberships.site_id')
            .select('memberships.person_id')
            .where('sites.name', '=', siteNameKey(site)),
        );
      }
      if (typeof search === 'string') {
        const wanted = search.trim().toLowerCase();
        query = query.where((where) =>
          where.or(
            (['user_name', 'email', 'first_name', 'last_name'] as const).map((column) =>
              where(where.fn<number>('strpos', [where.fn('lower', [column]), where.val(wanted)]), '>', 0),
            ),
          ),
        );
      }
      if (disabled !== undefined)
        query = query.where('people.status', '=', disabled === true ? 'disabled' : 'active');
      return query.execute();
    },
    { size: pageSize, limit: limit === undefined ? Infinity : Number(limit) },
  );
  for await (const row of found) yield toPresent(row).entry;
}

/** What a person is called in files and on the command line is their user name; their e-mail means them too. */
export async function findPersonIds(
  database: Database | DatabaseTransaction,
  names: Iterable<string>,
): Promise<Map<string, string>> {
  return await findOwners(database, [...names].map(signInNameKey));
}

function selectPresent(database: Database | DatabaseTransaction) {
  return selectPeople(database).select(['people.created_at', 'credentials.person_id as credentials_of']);
}

function toPresent(row: PersonRow): PresentPerson {
  return {
    id: row.id,
    createdAt: row.created_at,
    entry: {
      userName: row.user_name,
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email,
      boardsUserName: row.boards_user_name,
      phoneNumber: row.phone_number,
      signsInElsewhere: row.credentials_of === null,
      mustChangePassword: row.must_change ?? false,
      disabled: row.status === 'disabled',
      id: row.id,
    },
  };
}
