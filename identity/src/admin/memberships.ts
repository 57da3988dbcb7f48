import { siteNameMaximumLength, userNameMaximumLength } from '@anteroom/contract';
import * as v from 'valibot';
import { signInNameKey } from '../lib/names.ts';
import { siteNameKey } from '../sites/sites-store.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { findInBatches, inBatches, upsert } from './batches.ts';
import { clients } from './clients.ts';
import { runInTransaction } from './context.ts';
import type { AdminContext } from './context.ts';
import { flag, optional, required, text } from './fields.ts';
import type { EntryOf, Fields, Stored } from './fields.ts';
import { recordChange } from './operator-events.ts';
import { RefusedError } from './problems.ts';
import { defineResource } from './resource.ts';
import { findSitesByName } from './sites.ts';
import { findOwners } from './users.ts';

const labelMaximumLength = 100;
/** The stored value if there is no label (wire contract, "Sites"). */
const noLabel = 'none';

const fields = {
  userName: required('user name or e-mail', text(userNameMaximumLength)),
  site: required('name of the site', v.pipe(text(siteNameMaximumLength), v.transform(siteNameKey))),
  entitlementRequirementsMet: flag(
    'may enter the site; otherwise the site is listed but cannot be entered',
    true,
  ),
  clientEntitlement: optional('the label beside the site', text(labelMaximumLength)),
} satisfies Fields;

type MembershipEntry = EntryOf<typeof fields>;
type PresentMembership = { userId: string; siteId: string; entry: Stored<MembershipEntry> };

const nameOf = ({ userName, site }: Pick<MembershipEntry, 'userName' | 'site'>): string =>
  `${userName} at ${site}`;

/** The memberships of users at sites. */
export const memberships = defineResource<MembershipEntry, PresentMembership>({
  name: 'members',
  singular: 'membership',
  summary: 'which users belong to which site',
  keys: ['userName', 'site'],
  fields,
  importable: true,
  nameOf,
  uniqueIn: ({ userName, site }) => [{ column: 'userName', reason: `${signInNameKey(userName)} ${site}` }],
  filters: {
    site: { flags: '--site <site>', help: 'members of this site' },
    person: { flags: '--person <user>', help: 'memberships of this user: user name or e-mail' },
    disabled: {
      flags: '--disabled',
      help: 'only memberships whose entitlement requirements are not met (--no-disabled: only the others)',
    },
  },
  switchHelp: {
    disable: 'the entitlement requirements are not met: the site is listed but cannot be entered',
    enable: 'the entitlement requirements are met',
  },
  removeHelp: 'remove the user from the site',
  toDisabled: (isDisabled) => ({ entitlementRequirementsMet: !isDisabled }),

  async findPage(database, { site, person, disabled }, after, size) {
    let query = selectMemberships(database).orderBy('people.user_name').orderBy('sites.name').limit(size);
    if (after?.site !== undefined) {
      const last = [after.userName ?? '', after.site] as const;
      query = query.where((where) =>
        where(where.refTuple('people.user_name', 'sites.name'), '>', where.tuple(...last)),
      );
    } else if (after?.userName !== undefined) query = query.where('people.user_name', '>', after.userName);
    if (typeof site === 'string') query = query.where('sites.name', '=', siteNameKey(site));
    if (typeof person === 'string')
      query = query.where('people.id', 'in', (names) =>
        names.selectFrom('sign_in_names').select('person_id').where('name_key', '=', signInNameKey(person)),
      );
    if (disabled !== undefined)
      query = query.where('memberships.entitlement_requirements_met', '=', disabled !== true);
    return (await query.execute()).map(toPresent);
  },
  async find(database, entries) {
    const owners = await findOwners(
      database,
      entries.map(({ userName }) => userName),
    );
    const sites = await findSitesByName(
      database,
      entries.map(({ site }) => site),
    );
    const rows = await findInBatches(owners.values(), (batch) =>
      selectMemberships(database).where('memberships.person_id', 'in', batch).execute(),
    );
    const pairOf = (userId: string, siteId: string): string => `${userId} ${siteId}`;
    const present = new Map(rows.map((row) => [pairOf(row.person_id, row.site_id), toPresent(row)]));
    const seen = new Set<string>();
    return ({ userName, site }) => {
      const userId = owners.get(signInNameKey(userName));
      const siteId = sites.get(site)?.row.id;
      if (userId === undefined || siteId === undefined) {
        const noUser = { column: 'userName', reason: `there is no user ${userName}` };
        const noSite = { column: 'site', reason: `there is no site ${site}` };
        return {
          faults: [...(userId === undefined ? [noUser] : []), ...(siteId === undefined ? [noSite] : [])],
        };
      }
      const pair = pairOf(userId, siteId);
      // Two lines can name the same user differently, by user name and by e-mail.
      if (seen.has(pair))
        return {
          faults: [{ column: 'userName', reason: 'an earlier line has the same user and site' }],
        };
      seen.add(pair);
      return { present: present.get(pair), target: { personId: userId, site } };
    };
  },
  names: () => Promise.resolve([]),

  async write(planned, { transaction, now, onWritten }) {
    const sites = await findSitesByName(
      transaction,
      planned.map(({ entry }) => entry.site),
    );
    for (const batch of inBatches(planned)) {
      const rows = batch.map(({ entry, target }) => ({
        person_id: target.personId ?? '',
        site_id: sites.get(entry.site)?.row.id ?? '',
        entitlement_requirements_met: entry.entitlementRequirementsMet,
        client_entitlement: entry.clientEntitlement ?? noLabel,
        created_at: now,
      }));
      await upsert(transaction, 'memberships', ['person_id', 'site_id'], rows);
      await onWritten(batch.length);
    }
  },
  async remove({ userId, siteId }, { transaction }) {
    await transaction
      .deleteFrom('memberships')
      .where('person_id', '=', userId)
      .where('site_id', '=', siteId)
      .execute();
    return { deleted: {}, kept: [] };
  },
});

function selectMemberships(database: Database) {
  return database
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .select([
      'memberships.person_id',
      'memberships.site_id',
      'people.user_name',
      'sites.name as site_name',
      'memberships.entitlement_requirements_met',
      'memberships.client_entitlement',
    ]);
}

type MembershipRow = Awaited<ReturnType<ReturnType<typeof selectMemberships>['execute']>>[number];

function toPresent(row: MembershipRow): PresentMembership {
  return {
    userId: row.person_id,
    siteId: row.site_id,
    entry: {
      userName: row.user_name,
      site: row.site_name,
      entitlementRequirementsMet: row.entitlement_requirements_met,
      clientEntitlement: row.client_entitlement === noLabel ? null : row.client_entitlement,
    },
  };
}

export const labelFields = ['userName', 'site', 'client', 'label'] as const;

/**
 * Sets the label that one application shows beside a user's site, in place of the label of the membership. An empty label
 * removes it. Returns the label and the names of the user, site and application.
 */
export async function setClientLabel(
  context: AdminContext,
  { userName, site, client, label: given }: Readonly<Record<(typeof labelFields)[number], string>>,
): Promise<{ name: string; label: string | null }> {
  const parsed = memberships.parse({ userName, site, clientEntitlement: given });
  if ('problems' in parsed) throw new RefusedError(parsed.problems);
  const label = (parsed.entry as MembershipEntry).clientEntitlement ?? null;
  return await runInTransaction(context, async (transaction) => {
    const member = await memberships.require(transaction, { userName, site });
    await clients.require(transaction, { id: client });
    const key = { person_id: member.userId, site_id: member.siteId, client_id: client };
    if (label === null) await deleteLabel(transaction, key);
    else
      await upsert(
        transaction,
        'client_entitlements',
        ['person_id', 'site_id', 'client_id'],
        [{ ...key, label }],
      );
    const name = nameOf(member.entry);
    const target = { personId: member.userId, clientId: client, site: member.entry.site };
    await recordChange(context, transaction, target, { resource: 'members', action: 'label', name });
    return { name: `${name} for ${client}`, label };
  });
}

async function deleteLabel(
  transaction: DatabaseTransaction,
  key: { person_id: string; site_id: string; client_id: string },
): Promise<void> {
  await transaction
    .deleteFrom('client_entitlements')
    .where((where) => where.and(key))
    .execute();
}

export async function listClientLabels(database: Database, client: string | undefined) {
  return await database
    .selectFrom('client_entitlements')
    .innerJoin('people', 'people.id', 'client_entitlements.person_id')
    .innerJoin('sites', 'sites.id', 'client_entitlements.site_id')
    .select(['people.user_name as userName', 'sites.name as site', 'client_id as client', 'label'])
    .$if(client !== undefined, (query) => query.where('client_id', '=', client ?? ''))
    .orderBy('people.user_name')
    .orderBy('sites.name')
    .orderBy('client_id')
    .execute();
}
