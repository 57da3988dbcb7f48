import type { Noun } from '../noun.ts';
import type { Workbench } from '../workbench.ts';
import { personEntry, personFieldSchemas, personFields } from './person-entry.ts';
import type { PersonEntry } from './person-entry.ts';
import { nameKeysOf, planPeople } from './plan-people.ts';
import type { PeoplePlan } from './plan-people.ts';
import { listPeople, personFilters } from './present-people.ts';
import { writePeople } from './write-people.ts';
import type { FirstPassword, PeoplePrepared } from './write-people.ts';

export type People = Noun<PersonEntry, PeoplePlan, PeoplePrepared>;

/**
 * Who may sign in. Without a first password they begin with one that nobody knows: they choose their own with a link, which
 * `invite` or "forgotten password" sends.
 */
export const people: People = withFirstPassword(findUnknownPassword);

export function withFirstPassword(firstPassword: (bench: Workbench) => Promise<FirstPassword>): People {
  return {
    name: 'people',
    singular: 'person',
    summary: 'who may sign in',
    keys: ['userName'],
    fields: personFields,
    schema: personEntry,
    fieldSchemas: personFieldSchemas,
    uniqueIn: (entry) =>
      nameKeysOf(entry).map((key, index) => ({ column: index === 0 ? 'userName' : 'email', key })),
    plan: planPeople,
    prepare: async (bench) => ({
      firstPassword: await firstPassword(bench),
      services: await bench.services(),
    }),
    write: writePeople,
    afterwards: (bench) => bench.tellApplications(),
    disabledAs: (isDisabled) => ({ disabled: isDisabled }),
    filters: personFilters,
    list: listPeople,
  };
}

/** 256 random bits that are thrown away: one hash serves everybody who has none of their own yet. */
async function findUnknownPassword(bench: Workbench): Promise<FirstPassword> {
  const { passwords, random } = await bench.services();
  return { hash: await passwords.hash(random.token()), mustChange: false };
}
