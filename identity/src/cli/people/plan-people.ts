import { signInNameKey } from '../../lib/sign-in-name.ts';
import { secureRandom } from '../../lib/random.ts';
import type { DatabaseTransaction } from '../../store/schema.ts';
import { findChanges, merge } from '../fields.ts';
import type { Outcome, PlanOptions, Row } from '../noun.ts';
import type { PersonEntry } from './person-entry.ts';
import { findOwners, findPeopleById } from './present-people.ts';
import type { PresentPerson } from './present-people.ts';

/** `present` undefined: somebody new. */
export type PersonToWrite = { id: string; present: PresentPerson | undefined; entry: Required<PersonEntry> };
export type PeoplePlan = { outcome: Outcome; people: PersonToWrite[] };

/** Somebody of whom no more is said than they must be; the names are asked for. */
const newPerson: Omit<Required<PersonEntry>, 'userName'> = {
  firstName: '',
  lastName: '',
  email: null,
  boardsUserName: null,
  phoneNumber: null,
  signsInElsewhere: false,
  mustChangePassword: false,
  disabled: false,
  id: '',
};

export async function planPeople(
  transaction: DatabaseTransaction,
  rows: readonly Row<PersonEntry>[],
  { update, add, problems }: PlanOptions,
): Promise<PeoplePlan> {
  const owners = await findOwners(
    transaction,
    rows.flatMap(({ entry }) => nameKeysOf(entry)),
  );
  // also whose an id is that somebody new is given
  const named = rows.flatMap(({ entry }) => entry.id ?? []);
  const present = await findPeopleById(transaction, [...owners.values(), ...named]);
  const outcome: Outcome = { added: [], changed: [], left: [], concerns: new Map() };
  const people: PersonToWrite[] = [];
  const lines = new Map<string, number | undefined>();

  for (const { line, entry } of rows) {
    const ownerId = owners.get(signInNameKey(entry.userName));
    const known = ownerId === undefined ? undefined : present.get(ownerId);
    const isElsewhere = entry.signsInElsewhere ?? known?.entry.signsInElsewhere ?? false;
    if (isElsewhere && entry.mustChangePassword === true)
      problems.add({ line, column: 'mustChangePassword', reason: 'there is no password to change' });
    if (known !== undefined && signInNameKey(known.entry.userName) !== signInNameKey(entry.userName)) {
      problems.add({ line, column: 'userName', reason: `is the e-mail of ${known.entry.userName}` });
      continue;
    }
    if (known === undefined) {
      if (!add) {
        problems.add({ line, column: 'userName', reason: `there is no person ${entry.userName}` });
        continue;
      }
      for (const column of ['firstName', 'lastName'] as const)
        if (entry[column] === undefined) problems.add({ line, column, reason: 'is needed for somebody new' });
      const id = entry.id ?? secureRandom.token(16);
      if (present.has(id) || lines.has(id)) {
        const owner = present.get(id)?.entry.userName ?? 'somebody else in this file';
        problems.add({ line, column: 'id', reason: `is the id of ${owner}` });
        continue;
      }
      lines.set(id, line);
      outcome.added.push(entry.userName);
      outcome.concerns.set(entry.userName, { personId: id });
      people.push({
        id,
        present: undefined,
        entry: { ...merge({ ...newPerson, userName: entry.userName }, entry), id },
      });
      continue;
    }
    if (entry.id !== undefined && entry.id !== known.id) {
      problems.add({ line, column: 'id', reason: `is another one than ${known.entry.userName} has` });
      continue;
    }
    const changes = findChanges(known.entry, entry, ['userName', 'id']);
    if (Object.keys(changes).length === 0) {
      outcome.left.push(known.entry.userName);
    } else if (update) {
      lines.set(known.id, line);
      outcome.changed.push({ name: known.entry.userName, changes });
      outcome.concerns.set(known.entry.userName, { personId: known.id });
      people.push({
        id: known.id,
        present: known,
        entry: { ...merge(known.entry, entry), userName: known.entry.userName },
      });
    } else {
      const reason = `there is a person ${entry.userName} already (--update changes them)`;
      problems.add({ line, column: 'userName', reason });
    }
  }
  refuseTakenEmails(people, { owners, present, lines, problems });
  return { outcome, people };
}

/** An e-mail signs in like a user name, so it may be nobody else's; one that its owner gives up in the same file is free. */
function refuseTakenEmails(
  people: readonly PersonToWrite[],
  facts: {
    owners: ReadonlyMap<string, string>;
    present: ReadonlyMap<string, PresentPerson>;
    lines: ReadonlyMap<string, number | undefined>;
    problems: PlanOptions['problems'];
  },
): void {
  const { owners, present, lines, problems } = facts;
  const givenUp = new Set(people.flatMap(namesGivenUp));
  for (const { id, entry } of people) {
    if (typeof entry.email !== 'string') continue;
    const key = signInNameKey(entry.email);
    const owner = owners.get(key);
    if (owner === undefined || owner === id || givenUp.has(key)) continue;
    const reason = `signs in ${present.get(owner)?.entry.userName ?? 'somebody else'} already`;
    problems.add({ line: lines.get(id), column: 'email', reason });
  }
}

/** What somebody signs in with: user name and e-mail share one name space. */
export function nameKeysOf({ userName, email }: Pick<PersonEntry, 'userName' | 'email'>): string[] {
  const names = typeof email === 'string' ? [userName, email] : [userName];
  return [...new Set(names.map(signInNameKey))];
}

/** The sign-in names that a change takes away from somebody. */
export function namesGivenUp({ present, entry }: PersonToWrite): string[] {
  if (present === undefined) return [];
  const kept = nameKeysOf(entry);
  return nameKeysOf(present.entry).filter((key) => !kept.includes(key));
}
