import { addSeconds } from '../../lib/clock.ts';
import { RefusedError } from '../problems.ts';
import type { Workbench } from '../workbench.ts';

export const sessionFields = [
  'session',
  'userName',
  'site',
  'methods',
  'signedInAt',
  'lastSeenAt',
  'endsAt',
] as const;

/** A session as operators see it: named by its keyed hash, which signs nobody in. */
export type PresentSession = Record<(typeof sessionFields)[number], string | null>;

/** So many at most: whoever looks at more wants figures, not names. */
const shownAtMost = 10_000;

/** The ones that are alive, the latest first. */
export async function listSessions(
  { database, clock, config }: Workbench,
  { personId, site }: { personId: string | undefined; site: string | undefined },
): Promise<PresentSession[]> {
  const now = clock.now();
  const rows = await database
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .select([
      'id_hash',
      'user_name',
      'auth_site',
      'methods',
      'authenticated_at',
      'last_seen_at',
      'absolute_expires_at',
    ])
    .where('ended_at', 'is', null)
    .where('absolute_expires_at', '>', now)
    .where('last_seen_at', '>', addSeconds(now, -config.sessions.idleSeconds))
    .$if(personId !== undefined, (query) => query.where('person_id', '=', personId ?? ''))
    .$if(site !== undefined, (query) => query.where('auth_site', '=', site ?? ''))
    .orderBy('authenticated_at', 'desc')
    .orderBy('id_hash')
    .limit(shownAtMost)
    .execute();
  return rows.map((row) => ({
    session: row.id_hash,
    userName: row.user_name,
    site: row.auth_site,
    methods: row.methods.join(' '),
    signedInAt: row.authenticated_at?.toISOString() ?? null,
    lastSeenAt: row.last_seen_at.toISOString(),
    endsAt: row.absolute_expires_at.toISOString(),
  }));
}

/** @throws RefusedError when none or several begin so */
export async function findSessionByPrefix({ database }: Workbench, prefix: string): Promise<string> {
  // base64url alone: nothing in it means anything to LIKE but the underscore
  const pattern = /^[A-Za-z0-9_-]{6,43}$/.test(prefix) ? `${prefix.replaceAll('_', '\\_')}%` : undefined;
  const found =
    pattern === undefined
      ? []
      : await database
          .selectFrom('sessions')
          .select('id_hash')
          .where('id_hash', 'like', pattern)
          .where('person_id', 'is not', null)
          .where('ended_at', 'is', null)
          .limit(2)
          .execute();
  const [only, another] = found;
  if (only === undefined) throw new RefusedError([{ reason: `no session is called ${prefix}` }]);
  if (another !== undefined) throw new RefusedError([{ reason: `several sessions begin with ${prefix}` }]);
  return only.id_hash;
}
