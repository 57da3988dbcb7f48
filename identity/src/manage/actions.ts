import { Readable } from 'node:stream';
import { isIP } from 'node:net';
import { supportedLocales } from '@anteroom/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { addPerson } from '../admin/add-person.ts';
import { findAttempt } from '../admin/attempts.ts';
import type { Attempt } from '../admin/attempts.ts';
import { exportEvents, eventFields, listEventPage, parseMoment } from '../admin/audit.ts';
import type { EventFilters } from '../admin/audit.ts';
import { replaceClientSecret } from '../admin/clients.ts';
import { testConnection } from '../admin/connection-test.ts';
import { replaceConnectionSecret } from '../admin/connections.ts';
import type { AdminContext } from '../admin/admin-context.ts';
import { explainUser } from '../admin/explain-user.ts';
import type { Story } from '../admin/explain-user.ts';
import { sendLink } from '../admin/send-links.ts';
import { clearLockouts, listLockouts } from '../admin/lockouts.ts';
import { replaceLostPhone } from '../admin/lost-phone.ts';
import { findAccounts } from '../admin/memberships.ts';
import { listNeeds } from '../admin/overview.ts';
import type { Verdict } from '../admin/obstacles.ts';
import { permit, permitEverywhere } from '../admin/actor.ts';
import { RefusedError } from '../admin/problems.ts';
import type { Remedy } from '../admin/remedies.ts';
import { endSelectedSessions } from '../admin/sessions.ts';
import { findObjectionToChange, requireUserById } from '../admin/users.ts';
import { exportUser } from '../admin/user-details.ts';
import { auditEvents } from '../audit/audit.ts';
import type { AuditEventName } from '../audit/audit.ts';
import { csvLine } from '../lib/csv.ts';
import { siteNameKeys } from '../lib/names.ts';
import { readFlag, readQuery, requireObject } from './input.ts';
import type { AddRoute } from './resource-routes.ts';

type Params = Readonly<Record<string, string>>;

const language = v.optional(v.picklist(supportedLocales, `must be one of ${supportedLocales.join(', ')}`));
const days = v.optional(
  v.pipe(
    v.number('must be a number of days'),
    v.integer('must be a number of days'),
    v.minValue(1, 'must be from 1 to 30'),
    v.maxValue(30, 'must be from 1 to 30'),
  ),
);

/**
 * The members of a body.
 * @throws RefusedError with a pointer for each fault; an unknown member is one
 */
export function parseBody<Entries extends v.ObjectEntries>(
  request: FastifyRequest,
  entries: Entries,
): v.InferOutput<v.StrictObjectSchema<Entries, undefined>> {
  const result = v.safeParse(v.strictObject(entries), requireObject(request.body));
  if (result.success) return result.output;
  throw new RefusedError(
    result.issues.map((issue) => ({
      column: v.getDotPath(issue) ?? undefined,
      reason: issue.expected === 'never' ? 'is not a member of this body' : issue.message,
    })),
  );
}

/** Adds everything that is not the same for all resources. */
export function addActions(add: AddRoute): void {
  addUserActions(add);

  add('POST', 'sites/:site/people', async (context, request, reply) => {
    const { site = '' } = request.params as Params;
    const dryRun = readFlag(request, 'dry-run');
    permit(context, 'members:write');
    const { label = null, ...person } = parseBody(request, {
      email: v.string('is required'),
      firstName: v.string('is required'),
      lastName: v.string('is required'),
      label: v.optional(v.nullable(v.string('must be text'))),
    });
    const added = await addPerson(context, { site, label, ...person }, { dryRun });
    if (!dryRun) reply.code(201);
    return added;
  });
  add('GET', 'overview', async (context, request) => {
    readQuery(request, []);
    return { items: await listNeeds(context) };
  });
  add('POST', 'clients/:id/secret', async (context, request) => {
    parseBody(request, {});
    return { secret: await replaceClientSecret(context, (request.params as Params)['id'] ?? '') };
  });
  add('POST', 'connections/:name/test', async (context, request) => {
    parseBody(request, {});
    return { findings: await testConnection(context, (request.params as Params)['name'] ?? '') };
  });
  add('POST', 'connections/:name/secret', async (context, request) => {
    permit(context, 'connections:write');
    const { secret } = parseBody(request, {
      secret: v.nullable(v.string('must be text, or null for a public client')),
    });
    return await replaceConnectionSecret(context, (request.params as Params)['name'] ?? '', secret);
  });
  add('GET', 'lockouts', async (context, request) => {
    readQuery(request, []);
    return { items: await listLockouts(context) };
  });
  add('POST', 'lockouts/clear', async (context, request) => {
    permitEverywhere(context, 'users:factors');
    const { address, codes } = parseBody(request, {
      address: v.optional(
        v.pipe(
          v.string(),
          v.check((one) => isIP(one) !== 0, 'must be an IP address'),
        ),
      ),
      codes: v.optional(v.literal(true, 'must be true')),
    });
    if ((address === undefined) === (codes === undefined))
      throw new RefusedError('exactly one of address and codes is required');
    return await clearLockouts(context, address === undefined ? { codes: true } : { address });
  });

  add('GET', 'audit', async (context, request, reply) => {
    const { limit, after, order = 'newest', ...given } = readAuditQuery(request, ['limit', 'after', 'order']);
    if (order !== 'newest' && order !== 'oldest')
      throw new RefusedError([{ column: 'order', reason: 'must be newest or oldest' }]);
    if (after !== undefined && !/^\d{1,18}$/.test(after))
      throw new RefusedError([{ column: 'after', reason: 'must be the number of an event' }]);
    const size = limit === undefined ? 50 : Number(limit);
    if (!Number.isInteger(size) || size < 1 || size > 1000)
      throw new RefusedError([{ column: 'limit', reason: 'must be a number from 1 to 1000' }]);
    const page = await listEventPage(context, await readEventFilters(context, given), { order, after, size });
    if (page.next !== undefined) reply.header('link', nextLink(request, page.next));
    return { items: page.items, next: page.next ?? null };
  });
  add('GET', 'audit/export', async (context, request, reply) => {
    const { format = 'csv', ...given } = readAuditQuery(request, ['format']);
    if (format !== 'csv' && format !== 'ndjson')
      throw new RefusedError([{ column: 'format', reason: 'must be csv or ndjson' }]);
    return sendEvents(reply, format, exportEvents(context, await readEventFilters(context, given)));
  });
}

function addUserActions(add: AddRoute): void {
  const addFor = (
    action: string,
    handle: (context: AdminContext, user: { id: string }, request: FastifyRequest) => Promise<unknown>,
  ): void =>
    add('POST', `users/:id/${action}`, (context, request) =>
      handle(context, { id: (request.params as Params)['id'] ?? '' }, request),
    );

  addFor('invite', async (context, user, request) =>
    sendLink(context, user, { ...parseBody(request, { days, language }), isInvitation: true }),
  );
  addFor('password-link', async (context, user, request) =>
    sendLink(context, user, { ...parseBody(request, { language }), isInvitation: false }),
  );
  addFor('unlock', async (context, user, request) => {
    parseBody(request, {});
    return await clearLockouts(context, { user });
  });
  addFor('end-sessions', async (context, user, request) => {
    const { session } = parseBody(request, { session: v.optional(v.string()) });
    const ended = await endSelectedSessions(context, { user, session }, {});
    return { ended: ended.length };
  });
  addFor('lost-phone', async (context, user, request) => {
    const dryRun = readFlag(request, 'dry-run');
    const { phoneNumber, ...given } = parseBody(request, {
      phoneNumber: v.optional(v.nullable(v.string('must be text')), null),
      language,
    });
    const { language: chosen = context.operation.actor.language } = given;
    return await replaceLostPhone(context, user, { phoneNumber, dryRun, language: chosen });
  });
  add('GET', 'users/:id/story', async (context, request) => {
    const { id = '' } = request.params as Params;
    const { site, correlation } = readQuery(request, ['site', 'correlation']);
    return await tellStory(context, id, { site, correlation });
  });
  add('GET', 'users/:id/export', async (context, request, reply) => {
    const { id = '' } = request.params as Params;
    readQuery(request, []);
    const data = await exportUser(context, { id });
    reply.header('content-disposition', `attachment; filename="user-${id}.json"`);
    return data;
  });
}

/** Why the user cannot sign in, with the remedies that are in the actor's hands. */
async function tellStory(
  context: AdminContext,
  id: string,
  { site, correlation }: { site: string | undefined; correlation: string | undefined },
): Promise<Story & { attempt?: Attempt[] }> {
  const scope = permit(context, 'users:read');
  const user = await requireUserById(context.database, id, scope);
  const sites = scope === 'all' ? undefined : scope;
  // Writes the latest events of this node, which may still be buffered.
  await (await context.services()).audit.flush();
  const story = await explainUser(context, id, { site, sites, isManager: user.isManaged });
  const isActable = findObjectionToChange(user, { context }) === undefined;
  const mayHelp = ({ operation }: Remedy): boolean =>
    context.operation.actor.scopeOf(operation) !== undefined &&
    (isActable || operation === 'users:help' || !operation.startsWith('users:'));
  const narrow = (verdict: Verdict): Verdict => ({
    ...verdict,
    remedies: verdict.remedies.filter(mayHelp),
  });
  return {
    ...story,
    verdict: narrow(story.verdict),
    obstacles: story.obstacles.map(narrow),
    ...(correlation !== undefined && {
      attempt: await findAttempt(context.database, {
        correlationId: correlation,
        ...(sites && { sites, userId: id }),
      }),
    }),
  };
}

const auditFilters = ['user', 'site', 'event', 'result', 'since', 'until', 'correlation'] as const;

/** `event` can occur several times. */
function readAuditQuery(request: FastifyRequest, others: readonly string[]): Record<string, string> {
  const query = request.query as Record<string, unknown>;
  const { event } = query;
  if (Array.isArray(event)) query['event'] = event.join(',');
  return readQuery(request, [...auditFilters, ...others]);
}

async function readEventFilters(
  { database, clock }: AdminContext,
  given: Readonly<Record<string, string>>,
): Promise<EventFilters> {
  const { user, site, event, result, correlation } = given;
  const now = clock.now();
  const moment = (column: 'since' | 'until'): Date | undefined => {
    const { [column]: text } = given;
    const found = text === undefined ? undefined : parseMoment(text, now);
    if (text !== undefined && found === undefined)
      throw new RefusedError([{ column, reason: 'must be a time such as 2026-03-02T10:00Z, or 24h (ago)' }]);
    return found;
  };
  if (result !== undefined && result !== 'success' && result !== 'failure')
    throw new RefusedError([{ column: 'result', reason: 'must be success or failure' }]);
  const events = event?.split(',');
  if (events?.every((name) => name in auditEvents) === false)
    throw new RefusedError([{ column: 'event', reason: 'is no name of an event' }]);
  return {
    since: moment('since'),
    until: moment('until'),
    // a deleted user is known by the id alone
    userId: user === undefined ? undefined : ((await findAccounts(database, [user]))(user)?.id ?? user),
    site: site === undefined ? undefined : siteNameKeys(site).at(-1),
    events: events as AuditEventName[] | undefined,
    result,
    correlationId: correlation,
  };
}

/** RFC 8288. */
function nextLink(request: FastifyRequest, next: string): string {
  const url = new URL(request.url, 'http://own.invalid');
  url.searchParams.set('after', next);
  return `<${url.pathname}${url.search}>; rel="next"`;
}

const exportedFields = [...eventFields, 'userId', 'operator'];

function sendEvents(
  reply: FastifyReply,
  format: 'csv' | 'ndjson',
  events: AsyncIterable<Readonly<Record<string, unknown>>>,
): FastifyReply {
  async function* lines(): AsyncGenerator<string> {
    if (format === 'csv') yield `${csvLine(exportedFields)}\r\n`;
    for await (const event of events)
      yield format === 'csv'
        ? `${csvLine(exportedFields.map((field) => event[field]))}\r\n`
        : `${JSON.stringify(event)}\n`;
  }
  const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
  return reply
    .type(`${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="audit.${format}"`)
    .send(Readable.from(lines()));
}
