import { signInNameKey } from '../../lib/sign-in-name.ts';
import type { Noun } from '../noun.ts';
import { memberEntry, memberFieldSchemas, memberFields } from './member-entry.ts';
import type { MemberEntry } from './member-entry.ts';
import { listMembers, memberFilters } from './present-members.ts';
import { planMembers, writeMembers } from './save-members.ts';
import type { MembersPlan } from './save-members.ts';

/** Who belongs to which site. */
export const members: Noun<MemberEntry, MembersPlan, object> = {
  name: 'members',
  singular: 'membership',
  summary: 'who belongs to which site',
  keys: ['userName', 'site'],
  fields: memberFields,
  schema: memberEntry,
  fieldSchemas: memberFieldSchemas,
  uniqueIn: ({ userName, site }) => [{ column: 'userName', key: `${signInNameKey(userName)} ${site}` }],
  plan: planMembers,
  prepare: () => Promise.resolve({}),
  write: writeMembers,
  disabledAs: (isDisabled) => ({ entitlementRequirementsMet: !isDisabled }),
  filters: memberFilters,
  list: listMembers,
};
