import type { Locale } from '@anteroom/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { clientActor } from '../admin/actor.ts';
import type { Actor } from '../admin/actor.ts';
import type { AdminContext, AdminResources } from '../admin/admin-context.ts';
import { scopeOfRoles } from '../admin/permissions.ts';
import type { RoleName } from '../admin/permissions.ts';
import { RefusedError } from '../admin/problems.ts';
import { heldRoles, sitesWithin } from '../admin/scopes.ts';
import type { HeldRole } from '../admin/scopes.ts';
import type { AntiForgery } from '../http/anti-forgery.ts';
import type { CreateExchange } from '../http/create-exchange.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { addSeconds } from '../lib/clock.ts';
import { createAllowances } from '../limits/allowances.ts';
import { findTokenHolder } from '../provider/management-clients.ts';
import type { Services } from '../services.ts';
import { findLatest, findSecondFactorTime, freshSeconds } from '../sessions/assurance.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { HttpRefusal } from './problem-details.ts';

/** Requests in ten minutes. */
const windowSeconds = 10 * 60;
const ofPerson = { count: 600, windowSeconds };
const ofSystem = { count: 6_000, windowSeconds };

/** A user in the console. */
export type Operator = {
  id: string;
  userName: string;
  name: string;
  email: string | null;
  roles: readonly HeldRole[];
  /** The names of the sites within the reach of an administrator. */
  sites: readonly string[];
  session: SignedInSession;
  freshUntil: Date | undefined;
};

/** Who calls. `operator` is undefined for a system. */
export type Caller = { context: AdminContext; operator: Operator | undefined };

type OperatorRow = {
  user_name: string;
  first_name: string;
  last_name: string;
  email: string | null;
  held_roles: HeldRole[];
  reach: string[];
  /** The reach of the roles at sites whose connection the session came through. */
  company_reach: string[];
};

const isOfCompany = sql<boolean>`sites.connection_id = (select connection_id from browser_session)`;

/** Read in the same statement as the session, so that a role that was taken away ends with the next request. */
const operatorOfSession = sql<OperatorRow>`
  select user_name, first_name, last_name, email, ${heldRoles} as held_roles,
    ${sitesWithin(sql`users.id`)} as reach, ${sitesWithin(sql`users.id`, isOfCompany)} as company_reach
  from users where id = (select user_id from browser_session)`;

export function createAuthenticateCaller(
  services: Services,
  resources: AdminResources,
  { createExchange, antiForgery }: { createExchange: CreateExchange; antiForgery: AntiForgery },
): (request: FastifyRequest, reply: FastifyReply) => Promise<Caller> {
  const { clock, config, keys } = services;
  const allowances = createAllowances({ ...services, keyRing: keys.limits });

  const callerOf = (request: FastifyRequest, actor: Actor, operator?: Operator): Caller => ({
    context: { ...resources, operation: { actor, correlationId: request.id } },
    operator,
  });

  async function count(who: string, limit: typeof ofPerson): Promise<void> {
    const retryAfterSeconds = await allowances.take('management request', who, limit);
    if (retryAfterSeconds !== undefined)
      throw new RefusedError('too many requests in ten minutes', { kind: 'limited', retryAfterSeconds });
  }

  /** A system proves itself in the header, so cookies do not matter. */
  async function asSystem(request: FastifyRequest, authorization: string): Promise<Caller> {
    const [, token = ''] = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization) ?? [];
    const holder = await findTokenHolder(services, token);
    if (holder === undefined) throw new HttpRefusal(401, 'the access token is not valid here');
    await count(`client ${holder.clientId}`, ofSystem);
    return callerOf(request, clientActor(holder.clientId, holder.scopes));
  }

  async function asPerson(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    requireOwnPage(request, config.publicUrl);
    if (request.method !== 'GET' && request.method !== 'HEAD') antiForgery.require(request.headers);
    const exchange = createExchange(request, reply);
    const operator = await findOperator(exchange);
    // Also sets the anti-forgery cookie if the browser has none for this session.
    await exchange.ensureSession();
    await count(`user ${operator.id}`, ofPerson);
    const roles = operator.roles.map(({ role }) => role);
    if (roles.length === 0) throw new RefusedError('this account has no role here', { kind: 'forbidden' });
    return callerOf(request, toActor(operator, roles, exchange.language), operator);
  }

  async function findOperator(exchange: Exchange): Promise<Operator> {
    const read = await exchange.findSessionWith({ queries: () => ({ operator: operatorOfSession }) });
    const found = await exchange.findSession();
    const row = read?.operator;
    if (found.state !== 'valid' || row === undefined) throw new HttpRefusal(401, 'nobody is signed in');
    const { session } = found;
    const provedAt = findSecondFactorTime(session.methods);
    // A company decides about its own sites, also about the factors of their administrators, and about no other site.
    const sites =
      provedAt !== undefined ? row.reach : session.externallyAuthenticated ? row.company_reach : [];
    if (provedAt === undefined && sites.length === 0)
      throw new HttpRefusal(401, 'the session has no second factor');
    const roles = row.held_roles.filter(
      ({ role, site }) => provedAt !== undefined || (role === 'administrator' && sites.includes(site ?? '')),
    );
    const latest = provedAt ?? findLatest(session.methods) ?? session.createdAt;
    const freshUntil = addSeconds(latest, freshSeconds);
    return {
      id: session.userId,
      userName: row.user_name,
      name: `${row.first_name} ${row.last_name}`.trim(),
      email: row.email,
      roles,
      sites,
      session,
      freshUntil: freshUntil > clock.now() ? freshUntil : undefined,
    };
  }

  return async (request, reply) => {
    const { authorization } = request.headers;
    return authorization === undefined
      ? await asPerson(request, reply)
      : await asSystem(request, authorization);
  };
}

function toActor({ id, sites, freshUntil }: Operator, roles: readonly RoleName[], language: Locale): Actor {
  return {
    name: id,
    via: 'console',
    language,
    scopeOf: (operation) => scopeOfRoles({ roles, sites }, operation),
    hasFreshProof: freshUntil !== undefined,
  };
}

/** Pages of other regions may call the service, but only our own page manages it. */
function requireOwnPage({ headers }: FastifyRequest, publicUrl: string): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isOwn =
    (origin === undefined || origin === publicUrl) &&
    (site === undefined || site === 'same-origin' || site === 'none');
  if (!isOwn) throw new ContractError('csrf_failed', { detail: 'the request comes from another site' });
}
