import { demoPassword } from '../../src/demo/demo-data.ts';
import { secureRandom } from '../../src/lib/random.ts';
import type { TestApplication } from '../application.ts';

/**
 * A user with two sites: `harbor` (no second factor) and `summit` (second factor required). `corp` is a third site, whose
 * users sign in through the identity provider of a company.
 */
export type Account = { id: string; userName: string; phoneNumber: string | undefined };

export const sites = ['harbor', 'summit'] as const;
export type SiteName = (typeof sites)[number] | 'corp';

const hashes = new Map<string, string>();

/** Adds a user. Each password is hashed only once. */
export async function addAccount(
  { services: { database, clock, passwords } }: Pick<TestApplication, 'services'>,
  {
    hasPhone = true,
    password = demoPassword,
    memberOf = sites,
    as,
  }: {
    hasPhone?: boolean;
    password?: string;
    memberOf?: readonly string[];
    /** The same user in another region. */
    as?: Account;
  } = {},
): Promise<Account> {
  const hash = hashes.get(password) ?? (await passwords.hash(password));
  hashes.set(password, hash);
  const id = as?.id ?? secureRandom.token(16);
  const userName = `user-${id.toLowerCase()}@demo.example`;
  const phoneNumber = as?.phoneNumber ?? (hasPhone ? `+4420794${secureRandom.digits(6)}` : undefined);
  const now = clock.now();
  await database
    .insertInto('users')
    .values({
      id,
      user_name: userName,
      email: userName,
      first_name: id,
      last_name: 'Test',
      phone_number: phoneNumber,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await database.insertInto('sign_in_names').values({ name_key: userName, user_id: id }).execute();
  await database
    .insertInto('credentials')
    .values({ user_id: id, password_hash: hash, must_change: false, changed_at: now })
    .execute();
  await database
    .insertInto('memberships')
    .columns(['user_id', 'site_id', 'created_at'])
    .expression((query) =>
      query
        .selectFrom('sites')
        .select((select) => [select.val(id).as('user_id'), 'sites.id as site_id', 'created_at'])
        .where('name', 'in', memberOf),
    )
    .execute();
  return { id, userName, phoneNumber };
}

export const passwordOf = (account: Account): { userName: string; password: string } => ({
  userName: account.userName,
  password: demoPassword,
});

/** The code in the latest message to the user's phone. */
export async function latestCodeOf(
  { services: { database } }: Pick<TestApplication, 'services'>,
  { phoneNumber }: Pick<Account, 'phoneNumber'>,
): Promise<string | undefined> {
  const message = await database
    .selectFrom('outbox')
    .select('text')
    .where('kind', '=', 'sms')
    .where('recipient', '=', phoneNumber ?? '')
    .orderBy('number', 'desc')
    .executeTakeFirst();
  return /#(\d{6})$/.exec(message?.text ?? '')?.[1];
}

let numbered = 0;

/** A phone number that no account has yet. */
export function freshPhoneNumber(): string {
  numbered += 1;
  return `+4420795${String(numbered).padStart(5, '0')}`;
}

export function freshPassword(): string {
  numbered += 1;
  return `lantern velvet oxbow ${String(numbered).padStart(6, '0')}`;
}

/** Settings without limits for addresses and phones. An account still has five free failures. */
export const withoutLimits = {
  HASH_QUEUE_SECONDS: '30',
  LIMIT_ADDRESS_FAILURES: '1000000',
  CODE_LIMITS: 'off',
  EXPECTED_USERS_PER_HOUR: '10000000',
};
