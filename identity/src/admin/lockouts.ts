import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import { accountCounterPrefix, addressCountersOf } from '../limits/window-counters.ts';
import type { AttemptKind } from '../limits/window-counters.ts';
import { runInTransaction } from './context.ts';
import type { AdminContext } from './context.ts';
import { recordChange } from './operator-events.ts';
import { users } from './users.ts';

// Counters are stored under keyed hashes. To find out what a counter belongs to, this file hashes all candidates: all
// users, and the addresses of recent failures.

export const lockoutFields = ['what', 'who', 'count', 'until'] as const;
export type Lockout = { what: string; who: string; count: number; until: string };

const kinds = ['password', 'second-factor'] as const satisfies readonly AttemptKind[];
const labels = { password: 'wrong passwords', 'second-factor': 'wrong codes' } as const;
const untilReset = 'the password is reset or the lockout is cleared';
const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;

/** Lists the current lockouts: accounts and addresses with too many failures, and exhausted limits of sent codes. */
export async function listLockouts(
  context: AdminContext,
  { user }: { user?: string | undefined } = {},
): Promise<Lockout[]> {
  const { database } = context;
  const only = user === undefined ? undefined : await users.require(database, { userName: user });
  const rows = await database
    .selectFrom('people')
    .select(['id', 'user_name'])
    .$if(only !== undefined, (query) => query.where('id', '=', only?.id ?? ''))
    .execute();
  const names = new Map(rows.map((row) => [row.id, row.user_name]));
  const counters = await listFullCounters(context, names);
  const messageLimits = await listExhaustedMessageLimits(context, names);
  return [...counters, ...messageLimits].filter(
    ({ who }) => only === undefined || who === only.entry.userName,
  );
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
    // the key of a known browser begins with the key of its account
    const key = row.key.split('.')[0] ?? row.key;
    byKey.set(key, [...(byKey.get(key) ?? []), row]);
  }
  for (const kind of kinds) {
    const { accountConsecutiveFailures, addressFailures } = limits[kind];
    for (const [id, who] of names)
      for (const row of byKey.get(accountCounterPrefix(keys.limits, kind, id)) ?? []) {
        const isLocked = row.used >= accountConsecutiveFailures;
        const isWaiting = row.blocked_until !== null && row.blocked_until > now;
        const until = isLocked ? untilReset : (row.blocked_until ?? now).toISOString();
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

/** Addresses of recent failures; empty if the audit log does not store addresses. */
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

async function listExhaustedMessageLimits(
  { database, clock, config: { codes } }: AdminContext,
  names: ReadonlyMap<string, string>,
): Promise<Lockout[]> {
  const messageLimits = [
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
      what: 'codes sent to numbers with this prefix',
      by: sql<string>`number_range`,
      count: codes.perHourAndRange,
      windowSeconds: hourSeconds,
    },
    { what: 'codes sent', by: sql<string>`'all users'`, count: codes.perHour, windowSeconds: hourSeconds },
  ];
  const found: Lockout[] = [];
  for (const { what, by, count, windowSeconds } of messageLimits) {
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

/** One user, one address, or the sent codes of all users. */
export type LockoutSelection = { user: string } | { address: string } | { codes: true };

/** Deletes counters of failures and records of sent codes; returns how many. */
export async function clearLockouts(
  context: AdminContext,
  selection: LockoutSelection,
): Promise<{ counters: number; codeMessages: number }> {
  const { keys } = await context.services();
  return await runInTransaction(context, async (transaction) => {
    const deleteCounters = async (prefix: string): Promise<number> => {
      const { numDeletedRows } = await transaction
        .deleteFrom('limits')
        .where(sql<boolean>`starts_with(key, ${prefix})`)
        .executeTakeFirst();
      return Number(numDeletedRows);
    };
    let counters = 0;
    let codeMessages = 0;
    let userId: string | undefined;
    if ('user' in selection) {
      const { id } = await users.require(transaction, { userName: selection.user });
      userId = id;
      for (const kind of kinds) counters += await deleteCounters(accountCounterPrefix(keys.limits, kind, id));
    }
    if ('address' in selection)
      for (const kind of kinds)
        for (const { key } of addressCountersOf(keys.limits, kind, selection.address, 0))
          counters += await deleteCounters(key);
    else {
      const { numDeletedRows } = await transaction
        .deleteFrom('code_messages')
        .$if(userId !== undefined, (query) => query.where('person_id', '=', userId ?? ''))
        .executeTakeFirst();
      codeMessages = Number(numDeletedRows);
    }
    const what = Object.keys(selection)[0] ?? '';
    await recordChange(
      context,
      transaction,
      { personId: userId },
      { resource: 'lockouts', action: 'clear', what },
    );
    return { counters, codeMessages };
  });
}
