import type * as v from 'valibot';
import type { AdminContext } from '../admin/admin-context.ts';
import { invitationDays } from '../admin/password-mails.ts';
import { isFreshOperation, operations } from '../admin/permissions.ts';
import { auditEvents } from '../audit/audit.ts';
import type { FieldDescription, Me, ResourceDescription } from './answers.ts';
import type { Operator } from './authenticate-caller.ts';
import { managed } from './resource-routes.ts';
import type { ManagedResource } from './resource-routes.ts';

/** What the console needs to know about its user before it shows anything. */
export async function describeMe(context: AdminContext, operator: Operator): Promise<Me> {
  const { actor } = context.operation;
  const { database } = context;
  const permitted = operations.filter((operation) => actor.scopeOf(operation) !== undefined);
  const isAdministrator = operator.roles.some(({ role }) => role === 'administrator');
  const sites = isAdministrator
    ? await database
        .selectFrom('sites')
        .leftJoin('sites as parents', 'parents.id', 'sites.parent_id')
        .select(['sites.name', 'sites.display_name as displayName', 'parents.name as parent'])
        .where('sites.name', 'in', operator.sites)
        .orderBy('sites.sequence')
        .orderBy('sites.name')
        .execute()
    : [];
  const shown = Object.values(managed).filter(({ resource }) => permitted.includes(resource.operations.read));
  return {
    user: {
      id: operator.id,
      userName: operator.userName,
      name: operator.name,
      email: operator.email,
    },
    roles: [...operator.roles],
    operations: Object.fromEntries(permitted.map((operation) => [operation, actor.scopeOf(operation)])),
    fresh: operations.filter(isFreshOperation),
    freshUntil: operator.freshUntil?.toISOString() ?? null,
    signedInUntil: operator.session.absoluteExpiresAt.toISOString(),
    sites: sites.map((site) => ({
      ...site,
      parent: site.parent !== null && operator.sites.includes(site.parent) ? site.parent : null,
    })),
    resources: Object.fromEntries(
      shown.map(({ resource }) => [resource.name, describeResource({ resource })]),
    ),
    audit: { events: Object.keys(auditEvents) },
    invitationDays,
  };
}

export function describeResource({ resource }: Pick<ManagedResource, 'resource'>): ResourceDescription {
  const { name, singular, summary, keys, columns, importedTables, operations: needed } = resource;
  const fields = Object.entries(resource.fields).filter(([, { isSecret }]) => isSecret !== true);
  return {
    name,
    singular,
    summary,
    keys: [...keys],
    fields: Object.fromEntries(
      fields.map(([field, { kind, help, initial, schema, delegated }]): [string, FieldDescription] => {
        const choices = findChoices(schema);
        const isKey = keys.includes(field);
        return [
          field,
          {
            kind: Array.isArray(initial) ? 'list' : kind,
            help,
            required: initial === undefined,
            ...(initial !== undefined && { initial }),
            ...(choices && { choices }),
            isKey,
            ...(field === 'id' && !isKey && { readOnly: true }),
            ...(delegated && { delegated }),
          },
        ];
      }),
    ),
    filters: Object.fromEntries(
      Object.entries(resource.filters).map(([filter, { flags, help }]) => [
        filter,
        { help, kind: flags.includes('<') ? 'text' : 'flag' },
      ]),
    ),
    ...(columns && { columns: [...columns] }),
    importable: importedTables !== undefined,
    read: needed.read,
    change: needed.change,
    remove: needed.remove,
  };
}

/** The values of a list of choices, inside the wrappers of optional fields. */
function findChoices(schema: v.GenericSchema): string[] | undefined {
  if ('options' in schema && schema.type === 'picklist') return [...(schema.options as string[])];
  const inner = [
    ...('wrapped' in schema ? [schema.wrapped as v.GenericSchema] : []),
    ...('pipe' in schema ? (schema.pipe as v.GenericSchema[]).filter((one) => one !== schema) : []),
  ].filter((one) => (one as { kind: string }).kind === 'schema');
  for (const one of inner) {
    const found = findChoices(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
