import type { Selectable } from 'kysely';
import * as v from 'valibot';
import type { Config } from '../config/config.ts';
import { findSecret, sealSecret } from '../company/connections-store.ts';
import { openidSettings, samlSettings, tokenAuthentications } from '../company/connection.ts';
import { parseCertificates } from '../company/saml/certificates.ts';
import { SamlRefusal } from '../company/saml/refusal.ts';
import { nameIdFormats } from '../company/saml/vocabulary.ts';
import { hasControlCharacter } from '../lib/control-characters.ts';
import { domainKey, readableDomain } from '../lib/names.ts';
import { secureRandom } from '../lib/random.ts';
import { findClient } from '../provider/clients-store.ts';
import { endSessions } from '../sign-out/end-sessions.ts';
import type { Services } from '../services.ts';
import { siteNameKey } from '../sites/sites-store.ts';
import type { ConnectionsTable } from '../store/company-tables.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { addressMaximumLength, isHttpAddress } from './addresses.ts';
import { upsert } from './batches.ts';
import { flag, list, optional, required, text, toColumns, toEntry } from './fields.ts';
import type { EntryOf, Fields, Stored } from './fields.ts';
import type { AdminContext } from './admin-context.ts';
import { RefusedError, collectProblems } from './problems.ts';
import { recordEndedSessions } from './operator-events.ts';
import type { Scope } from './permissions.ts';
import { defineResource, isDisabledNow } from './resource.ts';
import type { Changes, Fault, Outcome, Planned, Resource } from './resource.ts';

/** The name of a connection, which appears in commands, logs and audit events. */
const name = v.pipe(
  text(60),
  v.transform((given) => given.toLowerCase()),
  v.regex(/^[a-z0-9][a-z0-9._-]*$/, 'must be letters, digits, dots, hyphens and underscores'),
);

/** @throws RefusedError if the name is invalid */
export function parseConnectionName(given: string): string {
  const { success, output, issues } = v.safeParse(name, given);
  if (success) return output;
  throw new RefusedError([{ column: 'name', reason: issues[0].message }]);
}

const address = v.pipe(
  text(addressMaximumLength),
  v.check(isHttpAddress, 'must be an http(s) address without credentials'),
);

const shortFormats: Readonly<Record<string, string>> = {
  persistent: nameIdFormats.persistent,
  email: nameIdFormats.emailAddress,
  transient: nameIdFormats.transient,
  unspecified: nameIdFormats.unspecified,
};

const fields = {
  name: required('its name for operators', name, 'name'),
  displayName: required('its name for users', v.optional(text(200)), 'display_name'),
  kind: required(
    'saml or openid',
    v.optional(v.picklist(['saml', 'openid'], 'must be saml or openid')),
    'kind',
  ),
  issuer: {
    kind: 'text',
    help: "the provider's entity id (SAML) or issuer (OpenID)",
    schema: v.optional(text(addressMaximumLength)),
    initial: '',
  },
  entryPoint: optional('SAML: the address for sign-in requests', address),
  logoutUrl: optional('SAML: the address for sign-out requests', address),
  certificates: {
    kind: 'text',
    help: 'SAML: signing certificates (PEM), two during a rotation',
    schema: v.optional(
      v.pipe(
        v.array(v.string()),
        v.transform((texts) => splitCertificates(texts)),
      ),
    ),
    initial: [],
    fromFile: true,
  },
  entryPointBinding: optional(
    'SAML: redirect or post (default: redirect)',
    v.picklist(['redirect', 'post'], 'must be redirect or post'),
  ),
  nameIdFormat: optional(
    'SAML: the format of the NameID that is requested and required: persistent, email, unspecified or a URN',
    v.pipe(
      text(300),
      v.transform((given) => shortFormats[given.toLowerCase()] ?? given),
      v.check(
        (format) => format !== nameIdFormats.transient,
        'must not be transient: such a NameID differs at each sign-in',
      ),
    ),
  ),
  startClient: optional(
    'SAML: the client id of the application that opens when a user starts at the provider (default: the only client with initiateLoginUri)',
    text(200),
  ),
  metadataUrl: {
    ...optional('SAML: the address of the metadata, which is read once a day', address),
    fromFile: true,
  },
  offeredNameIdFormats: {
    kind: 'text',
    help: 'SAML: the NameID formats in the metadata',
    schema: v.optional(v.array(v.string())),
    initial: [],
    fromFile: true,
  },
  emailAttribute: optional('SAML: the attribute with the e-mail (default: the NameID)', text(300)),
  firstNameAttribute: optional('SAML: the attribute with the first name', text(300)),
  lastNameAttribute: optional('SAML: the attribute with the last name', text(300)),
  clientId: optional('OpenID: the client id of this service at the provider', text(300)),
  scope: optional('OpenID: the requested scope (default: openid email profile)', text(300)),
  tokenAuthentication: optional(
    `OpenID: how this service authenticates at the token endpoint: ${tokenAuthentications.join(', ')} (default: as the provider announces)`,
    v.picklist(tokenAuthentications, `must be ${tokenAuthentications.join(', ')}`),
  ),
  emailClaim: optional('OpenID: the claim with the e-mail (default: email)', text(100)),
  firstNameClaim: optional('OpenID: the claim with the first name (default: given_name)', text(100)),
  lastNameClaim: optional('OpenID: the claim with the last name (default: family_name)', text(100)),
  requireVerifiedEmail: flag('OpenID: the e-mail is used only if email_verified is true', true),
  signOutThere: flag('OpenID: a sign-out here also signs the user out at the provider', false),
  justInTime: flag("create accounts for the provider's users at their first sign-in", false),
  domains: {
    kind: 'text',
    help: 'e-mail domains whose users sign in through it',
    schema: list(
      /[\s,]+/,
      'must be domains such as corp.example',
      (domain) => /^[^\s@./]+(?:\.[^\s@./]+)+$/u.test(domain),
      (domain) => readableDomain(domainKey(domain)),
    ),
    initial: [],
  },
  sites: {
    kind: 'text',
    help: 'sites whose users sign in through it',
    schema: list(/[\s,]+/, 'must be names of sites', () => true, siteNameKey),
    initial: [],
  },
  disabled: flag('users cannot sign in through it', false),
} satisfies Fields;

type ConnectionEntry = EntryOf<typeof fields>;
type StoredConnection = Stored<ConnectionEntry>;
export type PresentConnection = { row: Selectable<ConnectionsTable>; entry: StoredConnection };
type PlannedConnection = Planned<ConnectionEntry, PresentConnection>;

/**
 * A change of the encrypted part of a connection: the client secret (OpenID) or decryption keys (SAML). `to`: the new
 * one, or a function of the present one; null deletes it.
 */
export type SecretChange = {
  of: ConnectionsTable['kind'];
  to: string | null | ((present: string | undefined) => string);
};

/** No known provider has longer secrets. */
export const clientSecretMaximumLength = 4096;

/**
 * Connections to the identity providers of other organisations.
 * @param secret undefined keeps the secret
 */
export function createConnections(secret?: SecretChange): Resource<PresentConnection> {
  return defineResource<ConnectionEntry, PresentConnection, Services | undefined>({
    name: 'connections',
    singular: 'connection',
    summary: "connections to other organisations' identity providers",
    keys: ['name'],
    fields,
    columns: ['name', 'displayName', 'kind', 'issuer', 'domains', 'sites', 'disabled'],
    operations: { read: 'connections:read', change: 'connections:write', remove: 'connections:write' },
    filters: {
      kind: { flags: '--kind <kind>', help: 'saml or openid' },
      disabled: { flags: '--disabled', help: 'only disabled connections (--no-disabled: without them)' },
    },
    switchHelp: {
      disable: 'users can no longer sign in through it, and its sessions end',
      enable: 'users can sign in through it again',
    },
    removeHelp: 'delete the connection with the identities that are linked through it; its sessions end',

    async findPage(database, { kind, disabled }, after, size, scope) {
      return [...(await findConnections(database)).values()]
        .filter(
          ({ entry }) =>
            servesSiteWithin(entry, scope) &&
            (after?.name === undefined || entry.name > after.name) &&
            (kind === undefined || entry.kind === kind) &&
            (disabled === undefined || entry.disabled === disabled),
        )
        .slice(0, size);
    },
    async find(database, _entries, scope) {
      const present = await findConnections(database);
      return ({ name: one, kind }) => {
        const stored = present.get(one);
        const found = stored && servesSiteWithin(stored.entry, scope) ? stored : undefined;
        return {
          present: found,
          target: { connection: one },
          faults: secret && findFaultsOfSecret(found?.entry.kind ?? kind, secret),
          changes: found === undefined || secret === undefined ? {} : changeOfSecret(found, secret),
        };
      };
    },
    view: ({ entry }, scope) => ({ ...entry, sites: entry.sites.filter((site) => scope.includes(site)) }),
    names: async (database) => [...(await findConnections(database)).keys()],
    describe: (_context, { row }) => ({
      [secretNames[row.kind]]: row.secret_sealed === null ? 'none' : 'stored, encrypted',
      secretChangedAt: row.secret_changed_at?.toISOString() ?? null,
      updatedAt: row.updated_at.toISOString(),
    }),

    prepare: async (context, { mayWrite }) => (mayWrite ? await context.services() : undefined),
    async check(planned, { context, transaction, report }) {
      const others = await findConnections(transaction);
      for (const connection of planned) {
        const { entry, present } = connection;
        for (const { column, reason } of findFaults(entry, context.config))
          report(connection, column, reason);
        if (present !== undefined && present.entry.kind !== entry.kind)
          report(connection, 'kind', 'cannot be changed: add another connection');
        await checkReferences(transaction, connection, [...others.values()], report);
      }
    },
    async write(planned, { context, transaction, prepared: services, now }) {
      if (services === undefined) return;
      for (const connection of planned) {
        const { present, entry } = connection;
        const id = present?.row.id ?? secureRandom.token(16);
        const next =
          typeof secret?.to === 'function'
            ? secret.to(present && findSecret(present.row, services.keys))
            : secret?.to;
        const sealed = typeof next === 'string' ? sealSecret(services.keys, secureRandom, id, next) : next;
        const isAnother = sealed !== undefined && sealed !== (present?.row.secret_sealed ?? null);
        const row = {
          ...toColumns(fields, entry),
          id,
          settings: JSON.stringify(toSettings(entry)),
          provisioning: entry.justInTime ? 'just_in_time' : 'none',
          disabled_at: entry.disabled ? (present?.row.disabled_at ?? now) : null,
          created_at: now,
          updated_at: now,
          ...(isAnother && { secret_sealed: sealed, secret_changed_at: now }),
        };
        await upsert(transaction, 'connections', ['id'], [row]);
        await writeDomainsAndSites(transaction, id, entry);
        if (isDisabledNow(connection))
          await recordEndedSessions(
            context,
            transaction,
            await endSessions(transaction, { connectionId: id }, now),
          );
      }
    },
    endsSessions: isDisabledNow,

    async remove({ row: { id } }, { context, transaction, now }) {
      const ended = await endSessions(transaction, { connectionId: id }, now);
      await recordEndedSessions(context, transaction, ended);
      await writeDomainsAndSites(transaction, id, { domains: [], sites: [] });
      await transaction.deleteFrom('connections').where('id', '=', id).execute();
      return { deleted: { sessions: ended.length }, kept: [] };
    },
  });
}

export const connections = createConnections();

/** Replaces the client secret of an OpenID connection, which is never shown again; null: a public client. */
export async function replaceConnectionSecret(
  context: AdminContext,
  name: string,
  secret: string | null,
): Promise<Outcome> {
  return await createConnections({ of: 'openid', to: secret }).save(
    context,
    [{ line: undefined, entry: { name } }],
    { update: true, add: false, problems: collectProblems() },
  );
}

function servesSiteWithin({ sites }: StoredConnection, scope: Scope): boolean {
  return scope === 'all' || sites.some((site) => scope.includes(site));
}

/** The name of the secret in the output, by kind. */
const secretNames = { openid: 'secret', saml: 'decryptionKeys' } as const;

/** Describes a change of the secret without its value. */
function changeOfSecret({ row }: PresentConnection, secret: SecretChange): Changes {
  const from = row.secret_sealed === null ? null : 'encrypted';
  const to = secret.to === null ? null : 'another, encrypted';
  return from === to ? {} : { [secretNames[row.kind]]: { from, to } };
}

function findFaultsOfSecret(kind: ConnectionsTable['kind'] | undefined, { of, to }: SecretChange): Fault[] {
  const findReason = (): string | undefined => {
    if (kind !== undefined && kind !== of) return `only a connection of kind ${of} has one`;
    if (typeof to !== 'string') return undefined;
    if (to === '') return 'must not be empty';
    if (to.length > clientSecretMaximumLength)
      return `must have at most ${clientSecretMaximumLength} characters`;
    return hasControlCharacter(to) ? 'must not contain control characters' : undefined;
  };
  const reason = findReason();
  return reason === undefined ? [] : [{ column: secretNames[of], reason }];
}

/** Reads all connections at once, because an installation has only a few dozen. */
async function findConnections(database: Database): Promise<Map<string, PresentConnection>> {
  const rows = await database.selectFrom('connections').selectAll().orderBy('name').execute();
  const domains = await database
    .selectFrom('connection_domains')
    .select(['connection_id', 'domain as value'])
    .orderBy('domain')
    .execute();
  const sites = await database
    .selectFrom('sites')
    .select(['connection_id', 'name as value'])
    .where('connection_id', 'is not', null)
    .orderBy('name')
    .execute();
  const valuesOf = (rows: readonly { connection_id: string | null; value: string }[], id: string): string[] =>
    rows.filter((row) => row.connection_id === id).map(({ value }) => value);
  return new Map(
    rows.map((row) => [
      row.name,
      toPresent(row, {
        domains: [...new Set(valuesOf(domains, row.id).map(readableDomain))],
        sites: valuesOf(sites, row.id),
      }),
    ]),
  );
}

function toPresent(
  row: Selectable<ConnectionsTable>,
  assigned: { domains: string[]; sites: string[] },
): PresentConnection {
  const settings = v.parse(row.kind === 'saml' ? samlSettings : openidSettings, row.settings);
  const none = Object.fromEntries(
    Object.entries(fields).map(([field, one]) => [field, 'initial' in one ? one.initial : '']),
  );
  const entry = toEntry(fields, row, {
    ...none,
    ...settings,
    ...assigned,
    justInTime: row.provisioning === 'just_in_time',
    disabled: row.disabled_at !== null,
  });
  return { row, entry };
}

/** The fields that are stored as settings of the connection's kind. */
function toSettings(entry: StoredConnection): Record<string, unknown> {
  const { entries } = entry.kind === 'saml' ? samlSettings : openidSettings;
  return Object.fromEntries(
    Object.entries(entry).filter(([field, value]) => field in entries && value !== null),
  );
}

/** Finds invalid settings, by field. */
function findFaults(entry: StoredConnection, { production }: Pick<Config, 'production'>): Fault[] {
  if (entry.issuer === '') return [{ column: 'issuer', reason: 'is required for a new connection' }];
  const parsed = v.safeParse(entry.kind === 'saml' ? samlSettings : openidSettings, toSettings(entry));
  const faults: Fault[] = (parsed.issues ?? []).map((issue) => {
    const column = v.getDotPath(issue)?.split('.')[0] ?? 'kind';
    const isMissing = column === 'certificates' && entry.certificates.length === 0;
    return { column, reason: isMissing ? 'are required: --certificate-file or --metadata' : issue.message };
  });
  if (entry.kind === 'saml' && faults.length === 0)
    faults.push(...findFaultsOfCertificates(entry.certificates));
  for (const column of ['issuer', 'entryPoint', 'logoutUrl'] as const) {
    const isAddress = column !== 'issuer' || entry.kind === 'openid';
    if (production && isAddress && /^http:/i.test(entry[column] ?? ''))
      faults.push({ column, reason: 'must begin with https:// in production' });
  }
  return faults;
}

/** The PEM blocks in the texts, which may be files or their lines; texts without any are kept. */
function splitCertificates(texts: readonly string[]): string[] {
  const blocks = texts.join('\n').match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g);
  return blocks ? [...blocks] : [...texts];
}

function findFaultsOfCertificates(certificates: readonly string[]): Fault[] {
  try {
    parseCertificates(certificates);
    return [];
  } catch (error) {
    return [
      { column: 'certificates', reason: error instanceof SamlRefusal ? error.message : 'cannot be read' },
    ];
  }
}

/** Reports unknown references, and domains and sites that belong to another connection: each has at most one. */
async function checkReferences(
  transaction: DatabaseTransaction,
  connection: PlannedConnection,
  all: readonly PresentConnection[],
  report: (connection: PlannedConnection, column: string, reason: string) => void,
): Promise<void> {
  const { domains, sites, startClient } = connection.entry;
  if (startClient !== null && (await findClient(transaction, startClient)) === undefined)
    report(connection, 'startClient', `there is no application ${startClient}`);
  const others = all.filter(({ entry }) => entry.name !== connection.entry.name);
  for (const domain of domains) {
    const owner = others.find(({ entry }) => entry.domains.includes(domain));
    if (owner !== undefined) report(connection, 'domains', `${domain} is a domain of ${owner.entry.name}`);
  }
  if (sites.length === 0) return;
  const rows = await transaction.selectFrom('sites').select('name').where('name', 'in', sites).execute();
  const known = new Set(rows.map((row) => row.name));
  for (const site of sites) {
    const owner = others.find(({ entry }) => entry.sites.includes(site));
    if (!known.has(site)) report(connection, 'sites', `there is no site ${site}`);
    if (owner !== undefined) report(connection, 'sites', `${site} has the connection ${owner.entry.name}`);
  }
}

async function writeDomainsAndSites(
  transaction: DatabaseTransaction,
  id: string,
  { domains, sites }: Pick<StoredConnection, 'domains' | 'sites'>,
): Promise<void> {
  await transaction.deleteFrom('connection_domains').where('connection_id', '=', id).execute();
  const rows = domains.map((domain) => ({ domain: domainKey(domain), connection_id: id }));
  if (rows.length > 0) await transaction.insertInto('connection_domains').values(rows).execute();
  await transaction
    .updateTable('sites')
    .set({ connection_id: null })
    .where('connection_id', '=', id)
    .execute();
  if (sites.length > 0)
    await transaction.updateTable('sites').set({ connection_id: id }).where('name', 'in', sites).execute();
}
