import { operations, permissions } from '../admin/permissions.ts';
import type { Operation } from '../admin/permissions.ts';
import type { FieldDescription, ResourceDescription } from './answers.ts';
import { describeResource } from './me.ts';
import { managed } from './resource-routes.ts';
import type { ManagedResource } from './resource-routes.ts';

type Schema = Readonly<Record<string, unknown>>;
type Described = Readonly<Record<string, unknown>>;

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Schema, description = 'Done'): Described => ({
  description,
  content: { 'application/json': { schema } },
});
const query = (name: string, description: string, type = 'string'): Described => ({
  name,
  in: 'query',
  description,
  schema: { type },
});
const dryRun = query('dry-run', 'answers what would change, without writing', 'boolean');
const ifMatch: Described = {
  name: 'If-Match',
  in: 'header',
  required: true,
  description: 'the ETag of the entry, or * on purpose',
  schema: { type: 'string' },
};
const problem: Described = {
  description: 'A problem (RFC 9457)',
  content: { 'application/problem+json': { schema: ref('Problem') } },
};

function schemaOfField({ kind, help, choices, required }: FieldDescription): Schema {
  const types = { text: 'string', number: 'integer', flag: 'boolean', list: 'array' } as const;
  return {
    description: help,
    type: required || kind !== 'text' ? types[kind] : ['string', 'null'],
    ...(kind === 'list' && { items: { type: 'string' } }),
    ...(choices && { enum: required ? choices : [...choices, null] }),
  };
}

function schemaOf({ fields, summary }: ResourceDescription): Schema {
  return {
    description: summary,
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, schemaOfField(field)]),
    ),
  };
}

/** An operation of the document. */
function route(
  operation: Operation | undefined,
  summary: string,
  {
    parameters = [],
    body,
    answer = json({}),
  }: { parameters?: Described[]; body?: Described; answer?: Described },
): Described {
  return {
    summary,
    ...(operation !== undefined && {
      description: `Operation \`${operation}\`: ${permissions[operation].covers}.`,
      security: [{ session: [] }, { client: [operation] }],
    }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { 200: answer, default: problem },
  };
}

const bodyOf = (schema: Schema): Described => ({
  required: true,
  content: { 'application/json': { schema } },
});
const textMember = (...names: string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

const auditParameters = [
  query('user', 'user name, e-mail or id'),
  query('site', 'name of the site'),
  query('event', 'kinds of events; can occur several times'),
  query('result', 'success or failure'),
  query('since', 'from this time on, or 90m, 24h, 7d ago'),
  query('until', 'before this time'),
  query('correlation', 'of this request or command'),
];

const get = (operation: Operation | undefined, summary: string, parameters: Described[] = []) => ({
  get: route(operation, summary, { parameters }),
});
/** `members`: of the body. */
const post = (
  operation: Operation,
  summary: string,
  members: string[] = [],
  parameters: Described[] = [],
) => ({
  post: route(operation, summary, { parameters, body: bodyOf(textMember(...members)) }),
});

/** Everything but the resources. */
const actions: Readonly<Record<string, Readonly<Record<string, Described>>>> = {
  '/me': get(undefined, 'The user of the console, and what is permitted'),
  '/proof': get(undefined, 'Leads through the sign-in and back into the console', [
    query('return', 'where the console goes on, as a path below it'),
  ]),
  '/overview': get('sites:read', 'What needs a hand'),
  '/users/{id}/story': get('users:read', 'Why the user cannot sign in, and what helps', [
    query('site', 'the site in question'),
    query('correlation', 'one attempt'),
  ]),
  '/users/{id}/export': get('users:remove', 'The user’s own data'),
  '/users/{id}/invite': post('users:help', 'Sends an invitation to the stored address', ['days', 'language']),
  '/users/{id}/password-link': post('users:help', 'Sends a link for a new password', ['language']),
  '/users/{id}/unlock': post('users:factors', 'Clears lock-outs'),
  '/users/{id}/end-sessions': post('users:factors', 'Ends all sessions, or one', ['session']),
  '/users/{id}/lost-phone': post(
    'users:factors',
    'Removes everything that was on a lost phone',
    ['phoneNumber', 'language'],
    [dryRun],
  ),
  '/sites/{site}/people': post(
    'members:write',
    'Adds a person by e-mail, with an account or without',
    ['email', 'firstName', 'lastName', 'label'],
    [dryRun],
  ),
  '/clients/{id}/secret': post('clients:write', 'Replaces the secret, which is answered once'),
  '/connections/{name}/secret': post(
    'connections:write',
    'Replaces the client secret at an OpenID provider, which is never shown; null: a public client',
    ['secret'],
  ),
  '/connections/{name}/test': post('connections:read', 'Tests a connection'),
  '/lockouts': get('users:read', 'Users and addresses that are refused after failures'),
  '/lockouts/clear': post('users:factors', 'Clears an address, or the budget of codes', ['address', 'codes']),
  '/audit': get('audit:read', 'Events, the newest first, or in the order in which they were stored', [
    ...auditParameters,
    query('order', 'newest (default) or oldest'),
    query('after', 'the number of the last event'),
    query('limit', 'at most this many', 'integer'),
  ]),
  '/audit/export': get('audit:read', 'All events as CSV or NDJSON, the oldest first', [
    ...auditParameters,
    query('format', 'csv (default) or ndjson'),
  ]),
};

const pathOf = (path: string): string => `/${path.replaceAll(/:(\w+)/g, '{$1}')}`;

/** The routes of a resource, by path. */
function routesOf(one: ManagedResource): Record<string, Record<string, Described>> {
  const { name, singular, read, change, remove, filters, importable } = describeResource(one);
  const answer = json(ref('Outcome'));
  const items = { type: 'array', items: ref(name) };
  const page = json({ type: 'object', properties: { items, next: { type: ['string', 'null'] } } });
  const parameters = [
    ...Object.entries(filters).map(([filter, { help, kind }]) =>
      query(filter, help, kind === 'flag' ? 'boolean' : 'string'),
    ),
    query('after', 'the `next` of the page before'),
    query('limit', '1 to 200', 'integer'),
  ];
  const newEntry = bodyOf(one.withSecret ? { allOf: [ref(name), textMember('secret')] } : ref(name));
  const file = { schema: { type: 'string' } };
  return {
    [pathOf(one.list)]: {
      get: route(read, `List ${name}`, { parameters, answer: page }),
      post: route(change, `Add a ${singular}`, { parameters: [dryRun], body: newEntry, answer }),
    },
    [pathOf(one.entry)]: {
      get: route(read, `Show a ${singular}`, { answer: json(ref(name), 'The entry, with its ETag') }),
      patch: route(change, `Change a ${singular} (RFC 7396: absent is unchanged, null clears)`, {
        parameters: [ifMatch, dryRun],
        body: bodyOf(ref(name)),
        answer,
      }),
      delete: route(remove, `Remove a ${singular}`, {
        parameters: [ifMatch, dryRun],
        answer: json(ref('Removal')),
      }),
    },
    ...(importable && {
      [`/${name}/import`]: {
        post: route(change, `Import ${name}: all rows or none`, {
          parameters: [query('update', 'changes entries that exist', 'boolean'), dryRun],
          body: {
            required: true,
            content: { 'text/csv': file, 'application/json': file, 'application/x-ndjson': file },
          },
          answer,
        }),
      },
    }),
  };
}

/** The parameters in a path. */
function parametersIn(path: string): { parameters?: Described[] } {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (names.length === 0) return {};
  return {
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
  };
}

/** The management API as an OpenAPI document, written from the same definitions as its routes. */
export function managementDocument(): Described {
  const all = Object.values(managed);
  const schemas = Object.fromEntries(all.map((one) => [one.resource.name, schemaOf(describeResource(one))]));
  const routes = Object.assign({}, ...all.map(routesOf), actions) as typeof actions;
  const paths = Object.fromEntries(
    Object.entries(routes).map(([path, methods]) => [path, { ...parametersIn(path), ...methods }]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Anteroom management API',
      version: '1',
      description: 'Written from the definitions of the service by tools/write-management-api.ts.',
    },
    servers: [{ url: '/api/manage' }],
    paths,
    components: {
      schemas: {
        ...schemas,
        Outcome: {
          type: 'object',
          properties: { added: strings, changed: { type: 'array' }, unchanged: strings },
        },
        Removal: {
          type: 'object',
          properties: { removed: strings, deleted: { type: 'object' }, kept: strings },
        },
        Problem: {
          type: 'object',
          required: ['type', 'title', 'status'],
          properties: {
            ...(textMember('type', 'title', 'detail', 'correlationId')['properties'] as object),
            status: { type: 'integer' },
            errors: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  pointer: { type: 'string' },
                  line: { type: 'integer' },
                  reason: { type: 'string' },
                  code: { type: 'string' },
                },
              },
            },
          },
        },
      },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: '__Host-anteroom_session' },
        client: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: '/connect/token',
              scopes: Object.fromEntries(
                operations.map((operation) => [operation, permissions[operation].covers]),
              ),
            },
          },
        },
      },
    },
  };
}

const strings: Schema = { type: 'array', items: { type: 'string' } };
