import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clients } from '../admin/clients.ts';
import { connections, createConnections } from '../admin/connections.ts';
import type { AdminContext } from '../admin/admin-context.ts';
import { collectRows } from '../admin/importing/collect-rows.ts';
import { memberships } from '../admin/memberships.ts';
import { permit } from '../admin/actor.ts';
import { RefusedError, collectProblems } from '../admin/problems.ts';
import type { Outcome, Place, Resource, ResourceName } from '../admin/resource.ts';
import { roles } from '../admin/roles.ts';
import { sites } from '../admin/sites.ts';
import { describeUserPage } from '../admin/user-page.ts';
import { users } from '../admin/users.ts';
import type { ListAnswer } from './answers.ts';
import { isOn, readFlag, readQuery, requireObject } from './input.ts';
import { HttpRefusal } from './problem-details.ts';

type Values = Readonly<Record<string, unknown>>;
type Params = Readonly<Record<string, string>>;

/** Where a resource is found. */
export type ManagedResource = {
  resource: Resource;
  /** Below `/api/manage/`. */
  list: string;
  entry: string;
  /** The keys that the address of the list contains. */
  parent?: (params: Params) => Values;
  /** Takes the secret, which is no field, out of a new entry; the resource stores it. */
  withSecret?: (body: Values) => { resource: Resource; values: Values };
  /** Facts of one entry, in addition to those of `show`. */
  describe?: (context: AdminContext, params: Params) => Promise<Values>;
};

/** Users and roles have ids in their addresses, because names and e-mails would end up in logs. */
export const managed: Readonly<Record<ResourceName, ManagedResource>> = {
  sites: { resource: sites, list: 'sites', entry: 'sites/:name' },
  users: {
    resource: users,
    list: 'users',
    entry: 'users/:id',
    describe: (context, { id = '' }) => describeUserPage(context, id),
  },
  members: {
    resource: memberships,
    list: 'sites/:site/members',
    entry: 'sites/:site/members/:userId',
    parent: ({ site }) => ({ site }),
  },
  clients: { resource: clients, list: 'clients', entry: 'clients/:id' },
  connections: {
    resource: connections,
    list: 'connections',
    entry: 'connections/:name',
    withSecret({ secret, ...values }) {
      if (secret === undefined) return { resource: connections, values };
      if (typeof secret !== 'string') throw new RefusedError([{ column: 'secret', reason: 'must be text' }]);
      return { resource: createConnections({ of: 'openid', to: secret }), values };
    },
  },
  roles: { resource: roles, list: 'roles', entry: 'roles/:id' },
};

export type Handle = (
  context: AdminContext,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<unknown>;
export type AddRoute = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, handle: Handle) => void;

const importedRows = 5_000;
const importBytes = 2 * 1024 * 1024;
const longestPage = 200;
const usualPage = 50;

/** Adds list, show, add, change, remove and import of every resource. */
export function addResourceRoutes(scope: FastifyInstance, add: AddRoute, addImport: AddRoute): void {
  readImports(scope);
  for (const { resource, list, entry, parent, withSecret, describe } of Object.values(managed)) {
    const inParent = (request: FastifyRequest): Values => parent?.(request.params as Params) ?? {};

    add('GET', list, async (context, request): Promise<ListAnswer> => {
      const { after, limit, ...filters } = readQuery(request, [
        ...Object.keys(resource.filters),
        'after',
        'limit',
      ]);
      const { site } = request.params as Params;
      if (site !== undefined)
        await sites.require(context.database, { name: site }, permit(context, resource.operations.read));
      const found = await resource.listPage(
        context,
        { ...readFilters(resource, filters), ...inParent(request) } as Parameters<Resource['listPage']>[1],
        { after: after === undefined ? undefined : parseCursor(after), size: readLimit(limit) },
      );
      return { items: found.items, next: found.next === undefined ? null : writeCursor(found.next) };
    });

    add('POST', list, async (context, request, reply) => {
      permit(context, resource.operations.change);
      const dryRun = readFlag(request, 'dry-run');
      const body = { ...requireObject(request.body), ...inParent(request) };
      const { resource: target, values } = withSecret?.(body) ?? { resource, values: body };
      const outcome = await save(context, target, values, { add: true, dryRun });
      if (outcome.added.length > 0 && !dryRun) reply.code(201);
      return outcome;
    });

    add('GET', entry, async (context, request, reply) => {
      readQuery(request, []);
      const params = request.params as Params;
      const { shown, version } = await resource.show(context, { address: params });
      reply.header('etag', version);
      return { ...shown, ...(await describe?.(context, params)) };
    });

    add('PATCH', entry, async (context, request, reply) => {
      const dryRun = readFlag(request, 'dry-run');
      const place = { address: request.params as Params };
      const expected = requirePrecondition(request);
      const changes = requireObject(request.body);
      const { version, ...outcome } = await save(context, resource, changes, {
        add: false,
        dryRun,
        place,
        expected,
      });
      reply.header('etag', version);
      return outcome;
    });

    add('DELETE', entry, async (context, request) => {
      const dryRun = readFlag(request, 'dry-run');
      const place = { address: request.params as Params };
      return await resource.remove(context, place, { dryRun, expected: requirePrecondition(request) });
    });
  }
  for (const { resource, list } of Object.values(managed)) {
    if (resource.importedTables === undefined) continue;
    const path = list.includes(':') ? `${resource.name}/import` : `${list}/import`;
    addImport('POST', path, async (context, request) => {
      permit(context, resource.operations.change);
      const query = readQuery(request, ['update', 'dry-run']);
      const problems = collectProblems();
      const rows = await collectRows(resource, Readable.from([request.body as Buffer]), problems);
      if (rows.length > importedRows)
        throw new RefusedError(`more than ${importedRows} entries: split the file, or use the command line`);
      const dryRun = isOn(query['dry-run']);
      const outcome = await resource.save(context, rows, { update: isOn(query['update']), dryRun, problems });
      return toAnswer(outcome);
    });
  }
}

async function save(
  context: AdminContext,
  resource: Resource,
  values: Values,
  options: { add: boolean; dryRun: boolean; place?: Place; expected?: string },
): Promise<SaveAnswer> {
  const unknown = Object.keys(values).filter((name) => resource.fields[name] === undefined);
  const problems = unknown.map((column) => ({ column, reason: `${resource.name} have no such field` }));
  if (problems.length > 0) throw new RefusedError(problems);
  const parsed = options.place ? resource.parseChanges(values) : resource.parse(values);
  if ('problems' in parsed) throw new RefusedError(parsed.problems);
  const outcome = await resource.save(context, [{ line: undefined, entry: parsed.entry }], {
    ...options,
    update: !options.add,
    problems: collectProblems(),
  });
  return toAnswer(outcome);
}

type SaveAnswer = Omit<Outcome, 'secrets'> & { secrets?: Record<string, string> };

function toAnswer({ secrets, ...outcome }: Outcome): SaveAnswer {
  return { ...outcome, ...(secrets !== undefined && { secrets: Object.fromEntries(secrets) }) };
}

function requirePrecondition({ headers }: FastifyRequest): string {
  const expected = headers['if-match'];
  if (expected === undefined) throw new HttpRefusal(428, 'If-Match is missing');
  return expected;
}

function readFilters({ filters }: Resource, given: Readonly<Record<string, string>>): Values {
  const values = Object.entries(given).map(([name, value]) => {
    if (filters[name]?.flags.includes('<') === true) return [name, value];
    if (value !== 'true' && value !== 'false')
      throw new RefusedError([{ column: name, reason: 'must be true or false' }]);
    return [name, value === 'true'];
  });
  return Object.fromEntries(values) as Values;
}

function readLimit(given: string | undefined): number {
  if (given === undefined) return usualPage;
  const limit = /^[1-9]\d{0,3}$/.test(given) ? Number(given) : longestPage + 1;
  if (limit > longestPage)
    throw new RefusedError([{ column: 'limit', reason: `must be a number from 1 to ${longestPage}` }]);
  return limit;
}

/** The keys of the last entry. */
function writeCursor(keys: Values): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url');
}

function parseCursor(given: string): Values {
  try {
    const keys: unknown = JSON.parse(Buffer.from(given, 'base64url').toString());
    const isValid =
      typeof keys === 'object' &&
      keys !== null &&
      Object.values(keys).every((key) => key === null || (typeof key === 'string' && !key.includes('\0')));
    // Only keys of which an entry can have none are null, which sort first.
    if (isValid) return Object.fromEntries(Object.entries(keys).filter(([, key]) => key !== null));
  } catch {
    // refused below
  }
  throw new RefusedError([{ column: 'after', reason: 'is not a cursor that a list has answered' }]);
}

function readImports(scope: FastifyInstance): void {
  for (const type of ['text/csv', 'application/x-ndjson', 'application/json'])
    scope.addContentTypeParser(
      type,
      { parseAs: 'buffer', bodyLimit: importBytes },
      (_request, body, parsed) => parsed(null, body),
    );
}
