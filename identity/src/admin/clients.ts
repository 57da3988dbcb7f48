import { productNameMaximumLength } from '@anteroom/contract';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import * as v from 'valibot';
import { secureRandom } from '../lib/random.ts';
import { chosenAlgorithm, clientAlgorithms, brandingOf } from '../provider/clients-store.ts';
import { fingerprint } from '../provider/fingerprint.ts';
import { isPageClient, managementResourceOf } from '../provider/management-clients.ts';
import type { createClientCheck } from '../provider/create-provider.ts';
import { deleteSignIns } from '../sign-in/sign-ins-store.ts';
import type { ClientsTable, DatabaseTransaction, LoginFlowCustomizations } from '../store/schema.ts';
import { addressMaximumLength, isHttpAddress } from './addresses.ts';
import { containsText, upsert } from './batches.ts';
import { findAlgorithmFaults } from './client-algorithms.ts';
import { findFaultsOfClient, findPrivateAddresses } from './client-checks.ts';
import { runInTransaction } from './admin-context.ts';
import type { AdminContext } from './admin-context.ts';
import { flag, list, optional, required, text, toColumns, toEntry } from './fields.ts';
import type { EntryOf, Fields, Stored } from './fields.ts';
import { recordChange } from './operator-events.ts';
import { permit } from './actor.ts';
import { operations } from './permissions.ts';
import { RefusedError } from './problems.ts';
import { defineResource } from './resource.ts';

const displayNameMaximumLength = 200;

/** A client id contains no characters that need escaping in URLs or logs. */
const clientId = v.pipe(
  text(100),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be letters, digits, dots, hyphens and underscores'),
);

const address = v.pipe(
  text(addressMaximumLength),
  v.check(
    (value) => isHttpAddress(value) && new URL(value).hash === '',
    'must be an http(s) address without credentials or fragment',
  ),
);

/** A list of URLs. The OpenID provider validates them further (RFC 8252 allows custom schemes). */
const addresses = list(
  /\s+/,
  'must be addresses separated by spaces',
  (one) => URL.canParse(one) && one.length <= addressMaximumLength,
);

const authenticationMethods = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
] as const;

/** A native application runs on the device of the user (RFC 8252). */
const applicationTypes = ['web', 'native'] as const;

/** Formats of access tokens for an API. */
const tokenFormats = ['jwt', 'opaque'] as const;

const optionalAddresses = (help: string) => ({ kind: 'text', help, schema: addresses, initial: [] }) as const;

const fields = {
  id: required('the client id', clientId, 'id'),
  displayName: required('what users call it', v.optional(text(displayNameMaximumLength)), 'display_name'),
  redirectUris: optionalAddresses('addresses after a sign-in, separated by spaces'),
  postLogoutRedirectUris: optionalAddresses('addresses after a sign-out, separated by spaces'),
  applicationType: {
    kind: 'text',
    help: 'web or native (on a device: its redirect addresses can have an own scheme, or any port of a loopback address)',
    schema: v.optional(v.picklist(applicationTypes, `must be ${applicationTypes.join(' or ')}`)),
    initial: 'web',
  },
  authentication: {
    kind: 'text',
    help: `how the client authenticates: ${authenticationMethods.join(', ')}`,
    schema: v.optional(v.picklist(authenticationMethods, `must be ${authenticationMethods.join(', ')}`)),
    initial: 'client_secret_basic',
  },
  jwksUri: optional('address of its public keys, for private_key_jwt', address),
  offlineAccess: flag('may request refresh tokens (offline_access)', false),
  clientCredentials: flag('a service: may get tokens for itself (client_credentials)', false),
  resources: optionalAddresses('the APIs that it may get tokens for, separated by spaces'),
  resource: optional('if it is an API: its address, which is the audience of tokens', address),
  resourceScopes: optional('the scopes of its API, separated by spaces', text(addressMaximumLength)),
  resourceTokens: optional(
    `the format of tokens for its API: ${tokenFormats.join(' or ')} (introspected); default: jwt`,
    v.picklist(tokenFormats, `must be ${tokenFormats.join(' or ')}`),
  ),
  scopes: {
    kind: 'text',
    help: `operations of the management API that a service may use, separated by spaces: ${operations.join(', ')}`,
    schema: list(/[\s,]+/, `must be operations: ${operations.join(', ')}`, (one) =>
      operations.some((operation) => operation === one),
    ),
    initial: [],
  },
  pkceOptional: flag('may omit PKCE; not with --authentication none', false),
  idTokenProfile: flag('with the scopes profile and email, the ID token contains name and e-mail', false),
  idTokenAlg: optional(
    `the algorithm of its ID and logout tokens, and of JWTs for its API: ${clientAlgorithms.join(' or ')}; default with an RSA key: RS256`,
    v.picklist(clientAlgorithms, `must be ${clientAlgorithms.join(' or ')}`),
  ),
  homeUri: optional('its start page', address, 'home_uri'),
  cancelUri: optional('the target of "cancel" and "back to boards"', address, 'cancel_uri'),
  initiateLoginUri: optional('where it starts a sign-in on request of a third party', address),
  backChannelLogoutUri: optional('receives sign-out notifications from server to server', address),
  backChannelLogoutPrivate: flag('its back-channel address may be in a private network', false),
  frontChannelLogoutUri: optional('receives sign-out notifications through the browser', address),
  adaptiveSecondFactor: flag('private devices may be remembered', true, 'adaptive_second_factor'),
  skipSplash: flag('pages have no splash screen', false),
  languageSelectionAndLinksDisabled: flag('no language picker and no links', false),
  publicComputerSignInDisabled: flag('pages do not ask whether the device is public', false),
  signInCredentialsRecoveryDisabled: flag('no link for forgotten passwords', false),
  nestedUIEliminated: flag('pages have no card around the form', false),
  rememberAccounts: flag('pages offer the accounts that the browser has signed in to before', false),
  productName: optional('branding: its name on the pages', text(productNameMaximumLength)),
  logoUrl: optional('branding: its logo, on an origin in LOGO_ORIGINS', address),
  accentColour: optional(
    'branding: #rrggbb',
    v.pipe(text(7), v.regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #1f4e79')),
  ),
} satisfies Fields;

export type ClientEntry = Stored<EntryOf<typeof fields>>;
type PresentClient = { row: Selectable<ClientsTable>; entry: ClientEntry };

/** The applications that users sign in to. */
export const clients = defineResource<
  EntryOf<typeof fields>,
  PresentClient,
  ReturnType<typeof createClientCheck>
>({
  name: 'clients',
  singular: 'client',
  summary: 'the applications that users sign in to',
  keys: ['id'],
  fields,
  columns: ['id', 'displayName', 'authentication', 'redirectUris'],
  operations: { read: 'clients:read', change: 'clients:write', remove: 'clients:write' },
  filters: { search: { flags: '--search <text>', help: 'id or display name contains this text' } },
  removeHelp: 'delete the client: users can no longer sign in to it, and its tokens are revoked at once',

  async findPage(database, { search }, after, size) {
    let query = database.selectFrom('clients').selectAll().orderBy('id').limit(size);
    if (after?.id !== undefined) query = query.where('id', '>', after.id);
    if (typeof search === 'string') query = query.where(containsText(['id', 'display_name'], search));
    return (await query.execute()).map(toPresent);
  },
  async find(database, entries) {
    const ids = entries.map(({ id }) => id);
    const rows = await database.selectFrom('clients').selectAll().where('id', 'in', ids).execute();
    const present = new Map(rows.map((row) => [row.id, toPresent(row)]));
    return ({ id }) => ({ present: present.get(id), target: { clientId: id } });
  },
  names: async (database) =>
    (await database.selectFrom('clients').select('id').execute()).map(({ id }) => id),
  describe: (_context, { row }) => ({ createdAt: row.created_at.toISOString() }),

  async prepare(context) {
    const provider = await import('../provider/create-provider.ts');
    return provider.createClientCheck(await context.services());
  },
  async check(planned, { context, transaction, prepared: findRefusal, report }) {
    const apis = await findApis(
      transaction,
      planned.map(({ entry }) => entry),
    );
    for (const client of planned) {
      const { entry, present } = client;
      const metadata = toMetadata(entry, present?.row.metadata ?? {}, placeholderFingerprint);
      const refusal = findRefusal({ id: entry.id, displayName: entry.displayName, metadata });
      const faults = findFaultsOfClient(entry, context.config);
      if (entry.scopes.length > 0 && !entry.clientCredentials)
        faults.push({ column: 'scopes', reason: 'are only for a service (clientCredentials)' });
      if (isPageClient(entry.id)) faults.push({ column: 'id', reason: 'is a page of this service' });
      if (entry.resource === managementResourceOf(context.config.publicUrl))
        faults.push({ column: 'resource', reason: 'is the address of the management API' });
      faults.push(...(await findPrivateAddresses(entry, context.config)));
      if (entry.idTokenAlg !== null && entry.idTokenAlg !== present?.entry.idTokenAlg)
        faults.push(...(await findAlgorithmFaults(context, transaction, entry.idTokenAlg)));
      if (refusal !== undefined && !faults.some(({ column }) => column === columnOf(refusal)))
        faults.push({ column: columnOf(refusal), reason: refusal });
      const other = apis.find(({ id, resource }) => resource === entry.resource && id !== entry.id);
      if (other !== undefined)
        faults.push({
          column: 'resource',
          reason: `is already the address of the client ${other.id}: a token would be valid for both APIs`,
        });
      for (const { column, reason } of faults) report(client, column, reason);
    }
  },
  async write(planned, { transaction, now }) {
    const secrets = new Map<string, string>();
    const rows = planned.map(({ entry, present }) => {
      const stored = present?.row.metadata ?? {};
      const hadSecret = present !== undefined && hasSecret(present.entry);
      let secret = hadSecret ? storedSecret(stored) : undefined;
      if (hasSecret(entry) && secret === undefined) {
        const created = secureRandom.token();
        secrets.set(entry.id, created);
        secret = fingerprint(created);
      }
      return {
        ...toColumns(fields, entry),
        customizations: JSON.stringify(customizationsOf(entry)),
        metadata: JSON.stringify(toMetadata(entry, stored, secret)),
        created_at: now,
      };
    });
    await upsert(transaction, 'clients', ['id'], rows);
    return { secrets };
  },
  async remove({ entry: { id } }, { transaction }) {
    const { numDeletedRows: tokens } = await transaction
      .deleteFrom('openid_records')
      .where('model', '!=', 'Session')
      .where(sql<boolean>`(payload ->> 'clientId' = ${id} or payload -> 'params' ->> 'client_id' = ${id})`)
      .executeTakeFirst();
    await deleteSignIns(transaction, { clientId: id });
    await transaction.deleteFrom('client_entitlements').where('client_id', '=', id).execute();
    await transaction.deleteFrom('clients').where('id', '=', id).execute();
    return { deleted: { 'grants, codes and tokens': Number(tokens) }, kept: [] };
  },
});

/** Replaces the client's secret and returns the new one. Only its fingerprint is stored. */
export async function replaceClientSecret(context: AdminContext, id: string): Promise<string> {
  permit(context, 'clients:write');
  const secret = secureRandom.token();
  await runInTransaction(context, async (transaction) => {
    const { entry, row } = await clients.require(transaction, { id });
    if (!hasSecret(entry))
      throw new RefusedError(`${id} authenticates with ${entry.authentication}, not with a secret`);
    const metadata = JSON.stringify({ ...row.metadata, client_secret: fingerprint(secret) });
    await transaction.updateTable('clients').set({ metadata }).where('id', '=', id).execute();
    await recordChange(context, transaction, { clientId: id }, { resource: 'clients', action: 'secret' });
  });
  return secret;
}

/** Finds the APIs with the addresses of the entries: among the entries and among the registered clients. */
async function findApis(
  transaction: DatabaseTransaction,
  entries: readonly Pick<ClientEntry, 'id' | 'resource'>[],
): Promise<{ id: string; resource: string | null }[]> {
  const claimed = entries.filter(({ resource }) => resource !== null);
  if (claimed.length === 0) return [];
  const resource = sql<string>`metadata ->> 'resource'`;
  const registered = await transaction
    .selectFrom('clients')
    .select(['id', resource.as('resource')])
    .where(
      resource,
      'in',
      claimed.map((entry) => entry.resource),
    )
    .where(
      'id',
      'not in',
      entries.map(({ id }) => id),
    )
    .orderBy('id')
    .execute();
  return [...claimed, ...registered];
}

/** A placeholder for a secret that does not exist yet, so that the complete registration can be validated. */
const placeholderFingerprint = fingerprint('');

function hasSecret({ authentication }: Pick<ClientEntry, 'authentication'>): boolean {
  return authentication === 'client_secret_basic' || authentication === 'client_secret_post';
}

function storedSecret(metadata: Readonly<Record<string, unknown>>): string | undefined {
  const secret = metadata['client_secret'];
  return typeof secret === 'string' ? secret : undefined;
}

function customizationsOf(entry: ClientEntry): LoginFlowCustomizations {
  return {
    languageSelectionAndLinksDisabled: entry.languageSelectionAndLinksDisabled,
    publicComputerSignInDisabled: entry.publicComputerSignInDisabled,
    signInCredentialsRecoveryDisabled: entry.signInCredentialsRecoveryDisabled,
    nestedUIEliminated: entry.nestedUIEliminated,
  };
}

/** Maps the metadata member in the provider's error message to the field that operators know. */
function columnOf(refusal: string): string {
  const columns: Readonly<Record<string, string>> = {
    redirect_uris: 'redirectUris',
    post_logout_redirect_uris: 'postLogoutRedirectUris',
    jwks_uri: 'jwksUri',
    application_type: 'applicationType',
    id_token_signed_response_alg: 'idTokenAlg',
    token_endpoint_auth_method: 'authentication',
    backchannel_logout_uri: 'backChannelLogoutUri',
    initiate_login_uri: 'initiateLoginUri',
  };
  return columns[/\w+/.exec(refusal)?.[0] ?? ''] ?? 'id';
}

const storedList = v.fallback(v.array(v.string()), []);
const storedAddress = v.fallback(v.nullable(v.string()), null);
const storedMethod = v.fallback(v.picklist(authenticationMethods), 'client_secret_basic');
const storedType = v.fallback(v.picklist(applicationTypes), 'web');
const storedFormat = v.fallback(v.nullable(v.picklist(tokenFormats)), null);

function toPresent(row: Selectable<ClientsTable>): PresentClient {
  const { metadata, customizations } = row;
  const brand = brandingOf(metadata);
  const entry = toEntry(fields, row, {
    redirectUris: v.parse(storedList, metadata['redirect_uris']),
    postLogoutRedirectUris: v.parse(storedList, metadata['post_logout_redirect_uris']),
    applicationType: v.parse(storedType, metadata['application_type']),
    authentication: v.parse(storedMethod, metadata['token_endpoint_auth_method']),
    jwksUri: v.parse(storedAddress, metadata['jwks_uri']),
    offlineAccess: v.parse(storedList, metadata['grant_types']).includes('refresh_token'),
    clientCredentials: v.parse(storedList, metadata['grant_types']).includes('client_credentials'),
    resources: v.parse(storedList, metadata['resources']),
    resource: v.parse(storedAddress, metadata['resource']),
    resourceScopes: v.parse(storedAddress, metadata['resource_scopes']),
    resourceTokens: v.parse(storedFormat, metadata['resource_tokens']),
    scopes: (v.parse(storedAddress, metadata['management_scopes']) ?? '')
      .split(' ')
      .filter((one) => one !== ''),
    pkceOptional: metadata['pkce_optional'] === true,
    idTokenProfile: metadata['id_token_profile'] === true,
    idTokenAlg: v.parse(chosenAlgorithm, metadata['id_token_alg']) ?? null,
    initiateLoginUri: v.parse(storedAddress, metadata['initiate_login_uri']),
    backChannelLogoutUri: v.parse(storedAddress, metadata['backchannel_logout_uri']),
    backChannelLogoutPrivate: metadata['backchannel_logout_private'] === true,
    frontChannelLogoutUri: v.parse(storedAddress, metadata['frontchannel_logout_uri']),
    skipSplash: metadata['skip_splash'] === true,
    rememberAccounts: metadata['remember_accounts'] === true,
    ...customizations,
    productName: brand?.productName ?? null,
    logoUrl: brand?.logoUrl ?? null,
    accentColour: brand?.accentColour ?? null,
  });
  return { row, entry };
}

/** The metadata of an entry. Members that this version does not know are preserved. */
function toMetadata(
  entry: ClientEntry,
  present: Readonly<Record<string, unknown>>,
  secretFingerprint: string | undefined,
): Record<string, unknown> {
  const brand = withoutNull({
    productName: entry.productName,
    logoUrl: entry.logoUrl,
    accentColour: entry.accentColour,
  });
  return withoutNull({
    ...present,
    redirect_uris: entry.redirectUris,
    post_logout_redirect_uris: entry.postLogoutRedirectUris,
    application_type: entry.applicationType === 'native' ? 'native' : null,
    grant_types: [
      ...(entry.redirectUris.length > 0 ? ['authorization_code'] : []),
      ...(entry.offlineAccess ? ['refresh_token'] : []),
      ...(entry.clientCredentials ? ['client_credentials'] : []),
    ],
    resources: entry.resources.length > 0 ? entry.resources : null,
    resource: entry.resource,
    resource_scopes: entry.resourceScopes,
    resource_tokens: entry.resourceTokens,
    token_endpoint_auth_method: entry.authentication,
    jwks_uri: entry.jwksUri,
    management_scopes: entry.scopes.length > 0 ? entry.scopes.join(' ') : null,
    pkce_optional: entry.pkceOptional ? true : null,
    id_token_profile: entry.idTokenProfile ? true : null,
    id_token_alg: entry.idTokenAlg,
    initiate_login_uri: entry.initiateLoginUri,
    backchannel_logout_uri: entry.backChannelLogoutUri,
    backchannel_logout_session_required: entry.backChannelLogoutUri === null ? null : true,
    backchannel_logout_private: entry.backChannelLogoutPrivate ? true : null,
    frontchannel_logout_uri: entry.frontChannelLogoutUri,
    skip_splash: entry.skipSplash ? true : null,
    remember_accounts: entry.rememberAccounts ? true : null,
    client_secret: hasSecret(entry) ? secretFingerprint : null,
    branding: Object.keys(brand).length === 0 ? null : brand,
  });
}

function withoutNull(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  );
}
