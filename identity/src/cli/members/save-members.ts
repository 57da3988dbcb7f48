import { signInNameKey } from '../../lib/sign-in-name.ts';
import { siteNameKey } from '../../sites/sites-store.ts';
import type { DatabaseTransaction } from '../../store/schema.ts';
import { inBatches } from '../batches.ts';
import { findChanges, merge } from '../fields.ts';
import type { Outcome, PlanOptions, Row, WriteOptions } from '../noun.ts';
import { findPersonIds } from '../people/present-people.ts';
import { findSitesByName } from '../sites/present-sites.ts';
import type { MemberEntry } from './member-entry.ts';
import { findMembersOf, noLabel } from './present-members.ts';

type MemberToWrite = {
  personId: string;
  siteId: string;
  createdAt: Date | undefined;
  entry: Required<MemberEntry>;
};
export type MembersPlan = { outcome: Outcome; members: MemberToWrite[] };

const newMember: Omit<Required<MemberEntry>, 'userName' | 'site'> = {
  entitlementRequirementsMet: true,
  clientEntitlement: null,
};

export async function planMembers(
  transaction: DatabaseTransaction,
  rows: readonly Row<MemberEntry>[],
  { update, add, problems }: PlanOptions,
): Promise<MembersPlan> {
  const personIds = await findPersonIds(
    transaction,
    rows.map(({ entry }) => entry.userName),
  );
  const sites = await findSitesByName(
    transaction,
    rows.map(({ entry }) => entry.site),
  );
  const known = await findMembersOf(transaction, personIds.values());
  const present = new Map(known.map((member) => [pairOf(member.personId, member.siteId), member]));
  const outcome: Outcome = { added: [], changed: [], left: [], concerns: new Map() };
  const members: MemberToWrite[] = [];
  // two names of one person are told apart by nothing in the file
  const seen = new Set<string>();

  for (const { line, entry } of rows) {
    const personId = personIds.get(signInNameKey(entry.userName));
    const siteId = sites.get(entry.site)?.id;
    if (personId === undefined)
      problems.add({ line, column: 'userName', reason: `there is no person ${entry.userName}` });
    if (siteId === undefined)
      problems.add({ line, column: 'site', reason: `there is no site ${entry.site}` });
    if (personId === undefined || siteId === undefined) continue;
    const pair = pairOf(personId, siteId);
    if (seen.has(pair))
      problems.add({ line, column: 'userName', reason: 'the same person at the same site stands above' });
    seen.add(pair);

    const name = nameOf(entry);
    outcome.concerns.set(name, { personId, site: siteNameKey(entry.site) });
    const member = present.get(pair);
    const changes = member && findChanges(member.entry, entry, ['userName', 'site']);
    if (member === undefined) {
      if (!add)
        problems.add({ line, column: 'userName', reason: `${entry.userName} is no member of ${entry.site}` });
      outcome.added.push(name);
      const { userName, site } = entry;
      members.push({
        personId,
        siteId,
        createdAt: undefined,
        entry: merge({ ...newMember, userName, site }, entry),
      });
    } else if (changes === undefined || Object.keys(changes).length === 0) {
      outcome.left.push(name);
    } else if (update) {
      outcome.changed.push({ name, changes });
      members.push({ personId, siteId, createdAt: member.createdAt, entry: merge(member.entry, entry) });
    } else {
      problems.add({
        line,
        column: 'userName',
        reason: `${name} is a member already (--update changes that)`,
      });
    }
  }
  return { outcome, members };
}

function pairOf(personId: string, siteId: string): string {
  return `${personId} ${siteId}`;
}

export function nameOf({ userName, site }: Pick<MemberEntry, 'userName' | 'site'>): string {
  return `${userName} at ${site}`;
}

export async function writeMembers(
  transaction: DatabaseTransaction,
  { members }: MembersPlan,
  _prepared: unknown,
  { now, onWritten }: WriteOptions,
): Promise<void> {
  for (const batch of inBatches(members)) {
    await transaction
      .insertInto('memberships')
      .values(
        batch.map(({ personId, siteId, createdAt, entry }) => ({
          person_id: personId,
          site_id: siteId,
          entitlement_requirements_met: entry.entitlementRequirementsMet,
          client_entitlement: entry.clientEntitlement ?? noLabel,
          created_at: createdAt ?? now,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['person_id', 'site_id']).doUpdateSet((written) => ({
          entitlement_requirements_met: written.ref('excluded.entitlement_requirements_met'),
          client_entitlement: written.ref('excluded.client_entitlement'),
        })),
      )
      .execute();
    await onWritten(batch.length);
  }
}
