import { describe, expect, expectTypeOf, test } from 'vitest';
import type { BookVersion } from '../../contract/src/index.ts';
import { accountMembers } from '../../identity/src/account/export-user-data.ts';
import type { UserExport } from '../../identity/src/account/export-user-data.ts';
import type { AuditEventName } from '../../identity/src/audit/audit.ts';
import type { UserStatus } from '../../identity/src/store/schema.ts';
import english from '../../web/public/assets/i18n/en-1.21.0.json' with { type: 'json' };

/** The names of the members at any depth. */
type MemberOf<Data> = Data extends Date
  ? never
  : Data extends readonly (infer One)[]
    ? MemberOf<One>
    : Data extends object
      ? { [Name in keyof Data & string]: Name | MemberOf<Data[Name]> }[keyof Data & string]
      : never;

/** The name of a value in a key, in which dots separate names. */
type InKey<Name extends string> = Name extends `${infer First}.${infer Rest}`
  ? InKey<`${First}-${Rest}`>
  : Name;

/** The texts with which the account page shows the user's data; the compiler compares them with the export. */
const { labels, values } = english.account.data;

describe('the account page', () => {
  test('has a label for each member of the export', () => {
    type Member = keyof UserExport | MemberOf<Omit<UserExport, 'account'>> | MemberOf<BookVersion>;
    expectTypeOf<Member>().toExtend<keyof typeof labels>();
    expect(Object.keys(labels)).toEqual(expect.arrayContaining(accountMembers.map(({ name }) => name)));
  });

  test('has a text for each value of a closed list', () => {
    type Role = UserExport['roles'][number]['role'];
    type Result = UserExport['auditEvents'][number]['result'];
    expectTypeOf<keyof typeof values.status>().toEqualTypeOf<UserStatus>();
    expectTypeOf<keyof typeof values.role>().toEqualTypeOf<Role>();
    expectTypeOf<keyof typeof values.result>().toEqualTypeOf<Result>();
    expectTypeOf<keyof typeof values.state>().toEqualTypeOf<NonNullable<BookVersion['state']>>();
    expectTypeOf<keyof typeof values.event>().toEqualTypeOf<InKey<AuditEventName>>();
  });
});
