import { signInNameKey } from '../../lib/sign-in-name.ts';
import { siteNameKey } from '../../sites/sites-store.ts';
import type { Database, DatabaseTransaction } from '../../store/schema.ts';
import { findInBatches, pageThrough } from '../batches.ts';
import type { MemberEntry } from './member-entry.ts';

type MemberRow = {
  person_id: string;
  site_id: string;
  created_at: Date;
  user_name: string;
  site_name: string;
  entitlement_requirements_met: boolean;
  client_entitlement: string;
};

/** A membership as it is kept, said as an entry says it. */
export type PresentMember = {
  personId: string;
  siteId: string;
  createdAt: Date;
  entry: Required<MemberEntry>;
};

/** What the service keeps where there is no label (wire contract, "Sites"). */
export const noLabel = 'none';

export async function findMembersOf(
  database: Database | DatabaseTransaction,
  personIds: Iterable<string>,
): Promise<PresentMember[]> {
  const found = await findInBatches(personIds, (batch) =>
    selectMembers(database).where('memberships.person_id', 'in', batch).execute(),
  );
  return found.map(toPresent);
}

const pageSize = 5000;

export const memberFilters = {
  site: { flags: '--site <site>', help: 'of this site' },
  person: { flags: '--person <user>', help: 'of this person: user name or e-mail' },
  disabled: {
    flags: '--disabled',
    help: 'who may not enter, because their entitlement requirements are not met (--no-disabled: who may)',
  },
};

export async function* listMembers(
  database: Database,
  { site, person, disabled, after, limit }: Readonly<Record<string, string | boolean | undefined>>,
): AsyncGenerator<MemberEntry> {
  const start = typeof after === 'string' ? { user_name: after, site_name: undefined } : undefined;
  const found = pageThrough(
    (last: MemberRow | undefined, size) => {
      let query = selectMembers(database).orderBy('people.user_name').orderBy('sites.name').limit(size);
      const from = last ?? start;
      if (from?.site_name !== undefined) {
        const { user_name: userName, site_name: siteName } = from;
        query = query.where((where) =>
          where(where.refTuple('people.user_name', 'sites.name'), '>', where.tuple(userName, siteName)),
        );
      } else if (from !== undefined) query = query.where('people.user_name', '>', from.user_name);
      if (typeof site === 'string') query = query.where('sites.name', '=', siteNameKey(site));
      if (typeof person === 'string') {
        query = query.where('people.id', 'in', (names) =>
          names.selectFrom('sign_in_names').select('person_id').where('name_key', '=', signInNameKey(person)),
        );
      }
      if (disabled !== undefined)
        query = query.where('memberships.entitlement_requirements_met', '=', disabled !== true);
      return query.execute();
    },
    { size: pageSize, limit: limit === undefined ? Infinity : Number(limit) },
  );
  for await (const row of found) yield toPresent(row).entry;
}

function selectMembers(database: Database | DatabaseTransaction) {
  return database
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .select([
      'memberships.person_id',
      'memberships.site_id',
      'memberships.created_at',
      'people.user_name',
      'sites.name as site_name',
      'memberships.entitlement_requirements_met',
      'memberships.client_entitlement',
    ]);
}

function toPresent(row: MemberRow): PresentMember {
  return {
    personId: row.person_id,
    siteId: row.site_id,
    createdAt: row.created_at,
    entry: {
      userName: row.user_name,
      site: row.site_name,
      entitlementRequirementsMet: row.entitlement_requirements_met,
      clientEntitlement: row.client_entitlement === noLabel ? null : row.client_entitlement,
    },
  };
}
