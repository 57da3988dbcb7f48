import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import { accountCounterPrefix, addressCountersOf } from '../limits/window-counters.ts';
import type { AttemptKind } from '../limits/window-counters.ts';
import { runInTransaction } from './admin-context.ts';
import type { AdminContext } from './admin-context.ts';
import { recordChange } from './operator-events.ts';
import { permitEverywhere } from './actor.ts';
import { findInBatches } from './batches.ts';
import { requireUserFor } from './users.ts';
import type { UserReference } from './users.ts';

// Counters are stored under keyed hashes. To find out what a counter belongs to, this file hashes all candidates: the
// addresses of recent failures, and users. The command line hashes all users; over HTTP, where this must be quick, only
// those with a failure in the last days.

export const lockoutFields = ['what', 'who', 'count', 'until'] as const;
export type Lockout = { what: string; who: string; count: number; until: string };

const kinds = ['password', 'second-factor'] as const satisfies readonly AttemptKind[];
export const failureLabels = { password: 'wrong passwords', 'second-factor': 'wrong codes' } as const;
const untilReset = 'the password is reset or the lockout is cleared';
const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;
const recentSeconds = 7 * daySeconds;
const mostCandidates = 5_000;

/** Lists the current lockouts: accounts and addresses with too many failures, and exhausted limits of sent codes. */
export async function listLockouts(
  context: AdminContext,
  { user }: { user?: UserReference | undefined } = {},
): Promise<Lockout[]> {
  const { database } = context;
  if (user === undefined) permitEverywhere(context, 'users:read');
  const only = user === undefined ? undefined : await requireUserFor(context, 'users:read', user);
  const counters = await findFullCounters(context, {
    listUserIds: () => (only ? Promise.resolve([only.id]) : listCandidates(context)),
    listAddresses: () => listFailingAddresses(context),
  });
  const found = [
    ...counters.map(({ kind, of, who, count, until }) => ({
      what: of === 'account' ? failureLabels[kind] : `${failureLabels[kind]} from the address`,
      who,
      count,
      until: until?.toISOString() ?? untilReset,
    })),
    ...(await listExhaustedMessageLimits(context)),
  ].filter(({ who }) => only === undefined || who === only.id);
  const users = await findInBatches(
    found.map(({ who }) => who),
    (batch) => database.selectFrom('users').select(['id', 'user_name']).where('id', 'in', batch).execute(),
  );
  const names = new Map(users.map(({ id, user_name: name }) => [id, name]));
  return found.map((lockout) => ({ ...lockout, who: names.get(lockout.who) ?? lockout.who }));
}

/** The ids of the users who can be locked out. */
async function listCandidates({ database, clock, operation, services }: AdminContext): Promise<string[]> {
  let query = database.selectFrom('users').select('id');
  if (operation.actor.via !== 'shell') {
    // The failures of the last second may not be stored yet.
    await (await services()).audit.flush();
    query = query.where('id', 'in', (events) =>
      events
        .selectFrom('audit_events')
        .select('user_id')
        .where('at', '>', addSeconds(clock.now(), -recentSeconds))
        .where('result', '=', 'failure')
        .orderBy('at', 'desc')
        .limit(mostCandidates),
    );
  }
  return (await query.execute()).map(({ id }) => id);
}

/** A counter that refuses attempts. `until`: undefined if only a new password or an operator ends it. */
export type FullCounter = {
  kind: (typeof kinds)[number];
  of: 'account' | 'address';
  /** The user's id, or the address. */
  who: string;
  count: number;
  until: Date | undefined;
};

/** Finds the counters that refuse attempts now. Users and addresses are only listed, and hashed, if there are any. */
export async function findFullCounters(
  context: AdminContext,
  { listUserIds, listAddresses }: Record<'listUserIds' | 'listAddresses', () => Promise<readonly string[]>>,
): Promise<FullCounter[]> {
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
  const found: FullCounter[] = [];
  const byKey = new Map<string, typeof rows>();
  for (const row of rows) {
    // the key of a known browser begins with the key of its account
    const key = row.key.split('.')[0] ?? row.key;
    byKey.set(key, [...(byKey.get(key) ?? []), row]);
  }
  const userIds = await listUserIds();
  const addresses = await listAddresses();
  for (const kind of kinds) {
    const { accountConsecutiveFailures, addressFailures } = limits[kind];
    for (const who of userIds)
      for (const row of byKey.get(accountCounterPrefix(keys.limits, kind, who)) ?? []) {
        const isLocked = row.used >= accountConsecutiveFailures;
        const isWaiting = row.blocked_until !== null && row.blocked_until > now;
        const until = isLocked ? undefined : (row.blocked_until ?? now);
        if (isLocked || isWaiting) found.push({ kind, of: 'account', who, count: row.used, until });
      }
    for (const who of addresses)
      for (const { key, limit } of addressCountersOf(keys.limits, kind, who, addressFailures))
        for (const row of byKey.get(key) ?? [])
          if (row.used >= limit)
            found.push({ kind, of: 'address', who, count: row.used, until: row.expires_at });
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

async function listExhaustedMessageLimits({
  database,
  clock,
  config: { codes },
}: AdminContext): Promise<Lockout[]> {
  const messageLimits = [
    {
      what: 'codes sent to the user',
      by: sql<string>`user_id`,
      count: codes.perDay,
      windowSeconds: daySeconds,
    },
    {
      what: 'codes sent to the user',
      by: sql<string>`user_id`,
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
        who: row.who,
        count: Number(row.count),
        until: addSeconds(row.first, windowSeconds).toISOString(),
      });
  }
  return found;
}

/** One user, one address, or the sent codes of all users. */
export type LockoutSelection = { user: UserReference } | { address: string } | { codes: true };

/** Deletes counters of failures and records of sent codes; returns how many. */
export async function clearLockouts(
  context: AdminContext,
  selection: LockoutSelection,
): Promise<{ counters: number; codeMessages: number }> {
  const { keys } = await context.services();
  if (!('user' in selection)) permitEverywhere(context, 'users:factors');
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
      const { id } = await requireUserFor(context, 'users:factors', selection.user, transaction);
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
        .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
        .executeTakeFirst();
      codeMessages = Number(numDeletedRows);
    }
    const what = Object.keys(selection)[0] ?? '';
    await recordChange(
      context,
      transaction,
      { userId: userId },
      { resource: 'lockouts', action: 'clear', what },
    );
    return { counters, codeMessages };
  });
}
