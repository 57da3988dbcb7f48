import type { DatabaseTransaction } from '../../store/schema.ts';
import { revokeAccess } from '../../openid/end-sessions.ts';
import { deleteRefusals } from '../../passwords/refusal-links.ts';
import { lockPeople } from '../../users/users-store.ts';
import type { Services } from '../../services.ts';
import { inBatches } from '../batches.ts';
import type { WriteOptions } from '../noun.ts';
import { nameKeysOf, namesGivenUp } from './plan-people.ts';
import type { PeoplePlan, PersonToWrite } from './plan-people.ts';

/** What people who get a password account begin with. */
export type FirstPassword = { hash: string; mustChange: boolean };

export type PeoplePrepared = {
  firstPassword: FirstPassword;
  services: Pick<Services, 'clock' | 'secondFactor'>;
};

export async function writePeople(
  transaction: DatabaseTransaction,
  { people }: PeoplePlan,
  { firstPassword, services }: PeoplePrepared,
  { now, onWritten }: WriteOptions,
): Promise<void> {
  await takeAway(transaction, people, services);
  for (const batch of inBatches(people)) {
    await writeRows(transaction, batch, now);
    await writeNames(transaction, batch);
    await writeCredentials(transaction, batch, firstPassword, now);
    await onWritten(batch.length);
  }
}

/** What a change ends: names, so that another line may have them; and what was trusted because of what is no more so. */
async function takeAway(
  transaction: DatabaseTransaction,
  people: readonly PersonToWrite[],
  services: PeoplePrepared['services'],
): Promise<void> {
  // first of all: a recovery link that is being issued at this moment goes to the address that counts, or is deleted below
  await lockPeople(
    transaction,
    idsWhere(people, () => true),
  );
  for (const batch of inBatches(people.flatMap(namesGivenUp)))
    await transaction.deleteFrom('sign_in_names').where('name_key', 'in', batch).execute();
  // a link for a new password lies in the mailbox that was the person's
  for (const batch of inBatches(idsWhere(people, ({ email }, present) => email !== present.email))) {
    await transaction.deleteFrom('password_links').where('person_id', 'in', batch).execute();
    await deleteRefusals(transaction, batch);
  }
  // a code was sent to the old number
  const withOtherNumber = idsWhere(people, (entry, present) => entry.phoneNumber !== present.phoneNumber);
  for (const batch of inBatches(withOtherNumber))
    await transaction.deleteFrom('one_time_codes').where('person_id', 'in', batch).execute();
  const shutOut = idsWhere(people, (entry, present) => isShutOut(entry) && !isShutOut(present));
  for (const id of new Set([...withOtherNumber, ...shutOut])) await revokeAccess(services, transaction, id);
  const elsewhere = idsWhere(people, (entry, present) => entry.signsInElsewhere && !present.signsInElsewhere);
  for (const batch of inBatches(elsewhere)) {
    await transaction.deleteFrom('credentials').where('person_id', 'in', batch).execute();
    await transaction.deleteFrom('previous_passwords').where('person_id', 'in', batch).execute();
    await transaction.deleteFrom('password_links').where('person_id', 'in', batch).execute();
  }
}

/** What was opened with a password ends with it. */
function isShutOut({ disabled, signsInElsewhere }: PersonToWrite['entry']): boolean {
  return disabled || signsInElsewhere;
}

function idsWhere(
  people: readonly PersonToWrite[],
  isMeant: (entry: PersonToWrite['entry'], present: PersonToWrite['entry']) => boolean,
): string[] {
  return people.flatMap(({ id, present, entry }) =>
    present !== undefined && isMeant(entry, present.entry) ? [id] : [],
  );
}

async function writeRows(
  transaction: DatabaseTransaction,
  batch: readonly PersonToWrite[],
  now: Date,
): Promise<void> {
  await transaction
    .insertInto('people')
    .values(
      batch.map(({ id, present, entry }) => ({
        id,
        user_name: entry.userName,
        email: entry.email,
        first_name: entry.firstName,
        last_name: entry.lastName,
        boards_user_name: entry.boardsUserName,
        phone_number: entry.phoneNumber,
        status: entry.disabled ? ('disabled' as const) : ('active' as const),
        created_at: present?.createdAt ?? now,
        updated_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((written) => ({
        email: written.ref('excluded.email'),
        first_name: written.ref('excluded.first_name'),
        last_name: written.ref('excluded.last_name'),
        boards_user_name: written.ref('excluded.boards_user_name'),
        phone_number: written.ref('excluded.phone_number'),
        status: written.ref('excluded.status'),
        updated_at: written.ref('excluded.updated_at'),
      })),
    )
    .execute();
}

async function writeNames(transaction: DatabaseTransaction, batch: readonly PersonToWrite[]): Promise<void> {
  const names = batch.flatMap(({ id, present, entry }) => {
    const had = present === undefined ? [] : nameKeysOf(present.entry);
    return nameKeysOf(entry)
      .filter((key) => !had.includes(key))
      .map((key) => ({ name_key: key, person_id: id }));
  });
  if (names.length > 0) await transaction.insertInto('sign_in_names').values(names).execute();
}

async function writeCredentials(
  transaction: DatabaseTransaction,
  batch: readonly PersonToWrite[],
  { hash, mustChange }: FirstPassword,
  now: Date,
): Promise<void> {
  const fresh = batch.filter(
    ({ present, entry }) => !entry.signsInElsewhere && (present?.entry.signsInElsewhere ?? true),
  );
  if (fresh.length > 0) {
    await transaction
      .insertInto('credentials')
      .values(
        fresh.map(({ id, entry }) => ({
          person_id: id,
          password_hash: hash,
          must_change: mustChange || entry.mustChangePassword,
          changed_at: now,
        })),
      )
      .execute();
  }
  for (const must of [true, false]) {
    const ids = idsWhere(
      batch,
      (entry, present) =>
        !present.signsInElsewhere &&
        entry.mustChangePassword === must &&
        entry.mustChangePassword !== present.mustChangePassword,
    );
    if (ids.length === 0) continue;
    await transaction
      .updateTable('credentials')
      .set({ must_change: must })
      .where('person_id', 'in', ids)
      .execute();
  }
}
