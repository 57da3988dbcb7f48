import { sql } from 'kysely';
import { ConfigError } from '../config/config.ts';
import { findDomain } from '../company/connections-store.ts';
import type { Wait } from '../factors/message-limits.ts';
import type { Factor } from '../factors/factor.ts';
import { factors } from '../factors/factors.ts';
import { MissingKeyError } from '../keys/keys-in-use.ts';
import { findBounce } from '../messages/mail-bounces.ts';
import { isPasswordAskedFirst } from '../company/home-realm-discovery.ts';
import { toSiteMembership } from '../sites/site-memberships-store.ts';
import { siteColumns, siteNameKey } from '../sites/sites-store.ts';
import { findUserById } from '../users/users-store.ts';
import type { User } from '../users/users-store.ts';
import { findRefusal, listAttempts } from './attempts.ts';
import type { Attempt } from './attempts.ts';
import { findLatestEvents } from './audit.ts';
import type { AdminContext } from './admin-context.ts';
import { findInvitations } from './invitations.ts';
import type { Invitation } from './invitations.ts';
import { findFullCounters } from './lockouts.ts';
import { noLabel } from './memberships.ts';
import { describeNone, findObstacles } from './obstacles.ts';
import type { Cause, Company, MemberSite, UserFacts, Verdict } from './obstacles.ts';
import { RefusedError } from './problems.ts';

export type Story = {
  /** What stops a sign-in first, at the asked site; otherwise at the site of the latest attempt. */
  verdict: Verdict;
  /** Everything that would stop it, in the order of the sign-in. */
  obstacles: Verdict[];
  memberships: { site: string; displayName: string; label: string | null; cause: Cause }[];
  invitation:
    | { state: Invitation['state']; sentAt: string; expiresAt: string; acceptedAt?: string }
    | undefined;
  attempts: Attempt[];
  /** What could not be read, and why. */
  unknown?: string;
};

/** Who asks. `sites`: the reader may see only what concerns these sites, and no addresses unless it manages the user. */
export type Reader = { sites?: readonly string[] | undefined; isManager?: boolean };

/**
 * Explains why a user cannot sign in, and what helps. `site`: the site in question.
 * @throws RefusedError if the user, or the site among those that the reader may see, does not exist
 */
export async function explainUser(
  context: AdminContext,
  userId: string,
  { site, ...reader }: { site?: string | undefined } & Reader = {},
): Promise<Story> {
  const { facts, unknown } = await gatherFacts(context, userId, reader);
  const { attempts, user } = facts;
  const asked =
    site === undefined ? attempts.find((attempt) => attempt.site !== null)?.site : siteNameKey(site);
  const sites = await listMemberSites(context, user, asked ?? undefined, reader.sites);
  const explained = await Promise.all(
    sites.map(async (one) => {
      const found = findObstacles(facts, one, await findCompany(context, facts, one));
      return { site: one, obstacles: found, verdict: found[0] ?? describeNone(attempts, one) };
    }),
  );
  const members = explained.filter((one) => one.site.isMember);
  const chosen =
    explained.find((one) => one.site.name === asked) ??
    members.find(({ verdict }) => verdict.cause === 'none') ??
    members[0];
  if (site !== undefined && chosen?.site.name !== asked)
    throw new RefusedError(`there is no site ${site}`, { kind: 'missing' });
  const nowhere = chosen === undefined ? findObstacles(facts, undefined, undefined) : [];
  return {
    verdict: chosen?.verdict ?? nowhere[0] ?? describeNone(attempts, undefined),
    obstacles: chosen?.obstacles ?? nowhere,
    memberships: members.map(({ site: { name, displayName, label }, verdict: { cause } }) => ({
      site: name,
      displayName,
      label,
      cause,
    })),
    invitation: describeInvitation(facts.invitation),
    attempts: [...attempts],
    ...(unknown !== undefined && { unknown }),
  };
}

async function gatherFacts(
  context: AdminContext,
  userId: string,
  { sites, isManager = false }: Reader,
): Promise<{ facts: UserFacts; unknown: string | undefined }> {
  const { database, config, clock } = context;
  const user = await findUserById(database, userId);
  if (user === undefined) throw new RefusedError(`there is no user ${userId}`, { kind: 'missing' });
  const now = clock.now();
  const isReduced = sites !== undefined && !isManager;
  const attempts = await listAttempts(database, { userId: userId, sites: isReduced ? sites : undefined });
  const addresses = [...new Set(attempts.flatMap(({ address }) => address ?? []))];
  const { counters, waits, unknown } = await findRefusals(context, user, addresses);
  const facts = {
    user,
    now,
    ownUrl: config.publicUrl,
    counters,
    waits,
    resendWaitSeconds: config.codes.resendWaitSeconds,
    invitation: (await findInvitations(database, [userId], now)).get(userId),
    bounce: await findBounce(database, userId),
    attempts: attempts.map(({ site, address, ...attempt }) => ({
      ...attempt,
      // A foreign site looks like an unknown one.
      site: sites === undefined || sites.includes(site ?? '') ? site : null,
      address: isReduced ? null : address,
    })),
    changes: await findLatestEvents(database, { userId: userId, events: ['operator.change'] }, changesRead),
    isReduced,
  };
  return { facts, unknown };
}

const changesRead = 50;

/** The counters of failures and of sent codes that refuse the user now. They need the keys of the service. */
async function findRefusals(
  context: AdminContext,
  user: User,
  addresses: readonly string[],
): Promise<Pick<UserFacts, 'counters' | 'waits'> & { unknown: string | undefined }> {
  const waits = new Map<Factor, Wait>();
  try {
    const counters = await findFullCounters(context, {
      listUserIds: () => Promise.resolve([user.id]),
      listAddresses: () => Promise.resolve(addresses),
    });
    for (const factor of Object.values(factors)) {
      if (factor.message?.addressOf(user) === undefined) continue;
      const { factors: service } = await context.services();
      const wait = await service.findWait(factor, { userId: user.id, owner: user });
      if (wait !== undefined) waits.set(factor, wait);
    }
    return { counters, waits, unknown: undefined };
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof MissingKeyError)) throw error;
    const unknown = 'lockouts are unknown: this command does not have the SECRETS of the service';
    return { counters: [], waits, unknown };
  }
}

/** The sites of the user, and the asked one, as far as they may be seen. */
async function listMemberSites(
  { database }: AdminContext,
  { id }: User,
  asked: string | undefined,
  visibleSites: readonly string[] | undefined,
): Promise<MemberSite[]> {
  const rows = await database
    .selectFrom('sites')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.site_id', '=', 'sites.id').on('memberships.user_id', '=', id),
    )
    .select([...siteColumns, 'sites.disabled_at', 'memberships.user_id as member_id'])
    .select(['memberships.entitlement_requirements_met', 'memberships.client_entitlement'])
    .where((where) =>
      where.or([
        where('sites.id', 'in', (own) =>
          own.selectFrom('memberships').select('site_id').where('user_id', '=', id),
        ),
        where('sites.name', '=', asked ?? ''),
      ]),
    )
    .$if(visibleSites !== undefined, (query) =>
      query.where('sites.name', '=', sql<string>`any(${[...(visibleSites ?? [])]})`),
    )
    .orderBy('sites.name')
    .execute();
  return rows.map((row) => ({
    ...toSiteMembership(row),
    label: row.client_entitlement === noLabel ? null : row.client_entitlement,
    disabledAt: row.disabled_at,
  }));
}

/**
 * The connection through which the user must sign in at the site, also a disabled one; undefined if the user has a
 * password and the page asks for it. The order is that of `home-realm-discovery.ts`.
 */
async function findCompany(
  context: AdminContext,
  { user, attempts, isReduced }: Pick<UserFacts, 'user' | 'attempts' | 'isReduced'>,
  site: MemberSite,
): Promise<Company | undefined> {
  const { database } = context;
  const hasPassword = user.passwordHash !== undefined && site.allowPasswordEntry;
  if (hasPassword && isPasswordAskedFirst(site, { state: 'none', session: undefined })) return undefined;
  const ofDomain = await database
    .selectFrom('connection_domains')
    .select('connection_id')
    .where('domain', '=', findDomain(user.email ?? '') ?? '')
    .executeTakeFirst();
  const ids = [
    ...(site.allowPasswordEntry ? [] : [site.connectionId]),
    ofDomain?.connection_id,
    ...(hasPassword ? [] : [site.connectionId]),
  ];
  const row = await database
    .selectFrom('connections')
    .select(['id', 'name', 'display_name', 'disabled_at'])
    .where('id', '=', ids.find((id) => id !== undefined) ?? '')
    .executeTakeFirst();
  if (row === undefined || (hasPassword && row.disabled_at !== null)) return undefined;
  const { id, name, display_name: displayName, disabled_at: disabledAt } = row;
  if (isReduced && id !== site.connectionId) return { id, disabledAt, displayName: 'another organisation' };
  const refusal = await findRefusal(context, name, attempts);
  return { id, disabledAt, displayName, name, refusal };
}

function describeInvitation(invitation: Invitation | undefined): Story['invitation'] {
  if (invitation === undefined) return undefined;
  const { state, sentAt, expiresAt, acceptedAt } = invitation;
  return {
    state,
    sentAt: sentAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...(acceptedAt && { acceptedAt: acceptedAt.toISOString() }),
  };
}
