import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import { accountCounterPrefix, addressCountersOf } from '../limits/attempt-counters.ts';
import type { AttemptKind } from '../limits/limits.ts';
import { runInTransaction } from './context.ts';
import type { AdminContext } from './context.ts';
import { recordChange } from './operator-events.ts';
import { users } from './users.ts';

// Counters are stored under keyed hashes. They are named here by hashing what may be locked: the users, and the addresses of recent failures.

export const lockoutFields = ['what', 'who', 'count', 'until'] as const;
export type Lockout = { what: string; who: string; count: number; until: string };

const kinds = ['password', 'second-factor'] as const satisfies readonly AttemptKind[];
const labels = { password: 'wrong passwords', 'second-factor': 'wrong codes' } as const;
const untilCleared = 'a password reset, or cleared';
const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;

/** What is refused at present: accounts and addresses after failures, and budgets of code messages that are used up. */
export async function listLockouts(
  context: AdminContext,
  { user }: { user?: string | undefined } = {},
): Promise<Lockout[]> {
  const { database } = context;
  const named = user === undefined ? undefined : await users.require(database, { userName: user });
  const everyone = await database
    .selectFrom('people')
    .select(['id', 'user_name'])
    .$if(named !== undefined, (query) => query.where('id', '=', named?.id ?? ''))
    .execute();
  const names = new Map(everyone.map((row) => [row.id, row.user_name]));
  const counters = await listFullCounters(context, names);
  const budgets = await listUsedBudgets(context, names);
  return [...counters, ...budgets].filter(({ who }) => named === undefined || who === named.entry.userName);
}

async function listFullCounters(
  context: AdminContext,
  names: ReadonlyMap<string, string>,
): Promise<Lockout[]> {
  const { database, clock, config } = context;
  const now = clock.now();
  const limits = { password: config.limits, 'second-factor': config.codeLimits };
  const least = Math.min(
    ...Object.values(limits).flatMap((one) => [one.addressFailures, one.accountConsecutiveFailures]),
  );
  const rows = await database
    .selectFrom('limits')
    .selectAll()
    .where('expires_at', '>', now)
    .where((where) => where.or([where('blocked_until', '>', now), where('used', '>=', least)]))
    .execute();
  if (rows.length === 0) return [];
  const { keys } = await context.services();
  const found: Lockout[] = [];
  const byKey = new Map<string, typeof rows>();
  for (const row of rows) {
    // a known browser's key begins like its account's
    const key = row.key.split('.')[0] ?? row.key;
    byKey.set(key, [...(byKey.get(key) ?? []), row]);
  }
  for (const kind of kinds) {
    const { accountConsecutiveFailures, addressFailures } = limits[kind];
    for (const [id, who] of names)
      for (const row of byKey.get(accountCounterPrefix(keys.limits, kind, id)) ?? []) {
        const isLocked = row.used >= accountConsecutiveFailures;
        const isWaiting = row.blocked_until !== null && row.blocked_until > now;
        const until = isLocked ? untilCleared : (row.blocked_until ?? now).toISOString();
        if (isLocked || isWaiting) found.push({ what: labels[kind], who, count: row.used, until });
      }
    for (const address of await listFailingAddresses(context))
      for (const { key, limit } of addressCountersOf(keys.limits, kind, address, addressFailures))
        for (const row of byKey.get(key) ?? [])
          if (row.used >= limit)
            found.push({
              what: `${labels[kind]} from the address`,
              who: address,
              count: row.used,
              until: row.expires_at.toISOString(),
            });
  }
  return found;
}

/** Addresses of recent failures; none where the audit log keeps no addresses. */
async function listFailingAddresses({ database, clock, config }: AdminContext): Promise<string[]> {
  const windowSeconds = Math.max(config.limits.addressWindowSeconds, config.codeLimits.addressWindowSeconds);
  const rows = await database
    .selectFrom('audit_events')
    .select('address')
    .distinct()
    .where('result', '=', 'failure')
    .where('at', '>', addSeconds(clock.now(), -windowSeconds))
    .where('address', 'is not', null)
    .execute();
  return rows.flatMap(({ address }) => address ?? []);
}

async function listUsedBudgets(
  { database, clock, config: { codes } }: AdminContext,
  names: ReadonlyMap<string, string>,
): Promise<Lockout[]> {
  const budgets = [
    {
      what: 'codes sent to the user',
      by: sql<string>`person_id`,
      count: codes.perDay,
      windowSeconds: daySeconds,
    },
    {
      what: 'codes sent to the user',
      by: sql<string>`person_id`,
      count: codes.perTenMinutes,
      windowSeconds: 600,
    },
    {
      what: 'codes sent to numbers that begin so',
      by: sql<string>`number_range`,
      count: codes.perHourAndRange,
      windowSeconds: hourSeconds,
    },
    { what: 'codes sent', by: sql<string>`'all users'`, count: codes.perHour, windowSeconds: hourSeconds },
  ];
  const found: Lockout[] = [];
  for (const { what, by, count, windowSeconds } of budgets) {
    const rows = await database
      .selectFrom('code_messages')
      .select(({ fn }) => [by.as('who'), fn.countAll<string>().as('count'), fn.min('sent_at').as('first')])
      .where('sent_at', '>', addSeconds(clock.now(), -windowSeconds))
      .groupBy(sql`1`)
      .having(({ fn }) => fn.countAll(), '>=', count)
      .execute();
    for (const row of rows)
      found.push({
        what,
        who: names.get(row.who) ?? row.who,
        count: Number(row.count),
        until: addSeconds(row.first, windowSeconds).toISOString(),
      });
  }
  return found;
}

/** What is cleared: one user, one address, or the budgets of code messages of all users. */
export type LockoutSelection = { user: string } | { address: string } | { codes: true };

/** Forgets failures and sent codes; returns how many counters and code messages were forgotten. */
export async function clearLockouts(
  context: AdminContext,
  selection: LockoutSelection,
): Promise<{ counters: number; codeMessages: number }> {
  const { keys } = await context.services();
  return await runInTransaction(context, async (transaction) => {
    const forget = async (prefix: string): Promise<number> => {
      const { numDeletedRows } = await transaction
        .deleteFrom('limits')
        .where(sql<boolean>`starts_with(key, ${prefix})`)
        .executeTakeFirst();
      return Number(numDeletedRows);
    };
    let counters = 0;
    let codeMessages = 0;
    let personId: string | undefined;
    if ('user' in selection) {
      const { id } = await users.require(transaction, { userName: selection.user });
      personId = id;
      for (const kind of kinds) counters += await forget(accountCounterPrefix(keys.limits, kind, id));
    }
    if ('address' in selection)
      for (const kind of kinds)
        for (const { key } of addressCountersOf(keys.limits, kind, selection.address, 0))
          counters += await forget(key);
    else {
      const { numDeletedRows } = await transaction
        .deleteFrom('code_messages')
        .$if(personId !== undefined, (query) => query.where('person_id', '=', personId ?? ''))
        .executeTakeFirst();
      codeMessages = Number(numDeletedRows);
    }
    const what = Object.keys(selection)[0] ?? '';
    await recordChange(context, transaction, { personId }, { noun: 'lockouts', verb: 'clear', what });
    return { counters, codeMessages };
  });
}
