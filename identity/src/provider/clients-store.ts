import type { Branding } from '@anteroom/contract';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { AdapterPayload } from 'oidc-provider';
import * as v from 'valibot';
import { branding } from '@anteroom/contract';
import { hasControlCharacter } from '../lib/control-characters.ts';
import type { ClientsTable, Database, LoginFlowCustomizations } from '../store/schema.ts';

/** The algorithms that an operator can choose for a client. */
export const clientAlgorithms = ['RS256', 'ES256'] as const;

/**
 * `id_token_alg` of a client's metadata. It is not stored as `id_token_signed_response_alg`, because an older version,
 * which has no ES256 key, would reject the client (docs/decisions/049-es256-per-client.md).
 */
export const chosenAlgorithm = v.fallback(v.optional(v.picklist(clientAlgorithms)), undefined);

/** The client data that a sign-in uses. */
export type Client = {
  id: string;
  displayName: string;
  /** The target of the "cancel" and "back to boards" links. */
  cancelUri: string | undefined;
  /** The application's start page. */
  homeUri: string | undefined;
  customizations: LoginFlowCustomizations;
  /** Whether users can mark a private computer as remembered, to skip the code on later sign-ins. */
  adaptiveSecondFactor: boolean;
  /** The front-channel logout URI. */
  frontChannelLogoutUri: string | undefined;
  /** The URL at which a third party can start a sign-in (OpenID Connect Core, 4). */
  initiateLoginUri: string | undefined;
  /** Whether sign-in pages for this client load without the splash screen (`skip_splash`). */
  skipSplash: boolean;
  /** Whether browsers remember who has signed in to this client, and its sign-in pages offer these accounts. */
  remembersAccounts: boolean;
  /** The application's branding. The front end validates each member again. */
  branding: Branding | undefined;
};

type ClientRow = Selectable<ClientsTable>;

/**
 * How long a client is cached: every step of a sign-in reads its client, and clients rarely change. An operator's
 * change takes effect on every node after this time. Unknown clients are not cached.
 */
const rememberMs = 5000;
const remembered = new WeakMap<Database, Map<string, { row: ClientRow; untilMs: number }>>();

async function findRow(database: Database, id: string): Promise<ClientRow | undefined> {
  // The id may be unchecked content of a JWT: `sub` of a client assertion, `aud` of an ID token hint.
  if (hasControlCharacter(id)) return undefined;
  const known = remembered.get(database)?.get(id);
  if (known !== undefined && performance.now() < known.untilMs) return known.row;
  const row = await database.selectFrom('clients').selectAll().where('id', '=', id).executeTakeFirst();
  const rows = remembered.get(database) ?? new Map<string, { row: ClientRow; untilMs: number }>();
  remembered.set(database, rows);
  if (row === undefined) rows.delete(id);
  else rows.set(id, { row, untilMs: performance.now() + rememberMs });
  return row;
}

/** Adds a client that is part of the service and has no row in the `clients` table. */
export function addBuiltInClient(database: Database, row: ClientRow): void {
  const rows = remembered.get(database) ?? new Map<string, { row: ClientRow; untilMs: number }>();
  remembered.set(database, rows.set(row.id, { row, untilMs: Infinity }));
}

const rememberedOrigins = new WeakMap<Database, { origins: ReadonlySet<string>; untilMs: number }>();

/** The origins of all public clients, whose pages call the provider directly. */
export async function findPublicClientOrigins(database: Database): Promise<ReadonlySet<string>> {
  const known = rememberedOrigins.get(database);
  if (known !== undefined && performance.now() < known.untilMs) return known.origins;
  const rows = await database
    .selectFrom('clients')
    .select('metadata')
    .where(sql<boolean>`metadata ->> 'token_endpoint_auth_method' = 'none'`)
    .execute();
  const origins = new Set(rows.flatMap(({ metadata }) => [...pageOriginsOf(metadata)]));
  rememberedOrigins.set(database, { origins, untilMs: performance.now() + rememberMs });
  return origins;
}

/**
 * The origins of http(s) URLs. URLs with other schemes are skipped: their origin is "null", which sandboxed frames also
 * send.
 */
export function webOriginsOf(addresses: unknown): ReadonlySet<string> {
  const urls = Array.isArray(addresses) ? addresses.map((address) => URL.parse(String(address))) : [];
  return new Set(
    urls.filter((url) => url !== null && /^https?:$/.test(url.protocol)).map((url) => String(url?.origin)),
  );
}

/**
 * The origins of a client's pages. A native application is no page: it listens on a loopback address, on which other
 * programs can serve pages.
 */
export function pageOriginsOf(metadata: {
  readonly application_type?: unknown;
  readonly redirect_uris?: unknown;
}): ReadonlySet<string> {
  const origins = webOriginsOf(metadata.redirect_uris);
  if (metadata.application_type !== 'native') return origins;
  return new Set([...origins].filter((origin) => origin.startsWith('https:')));
}

/** Finds a client by its id, for the context of a sign-in. */
export async function findClient(database: Database, id: string): Promise<Client | undefined> {
  const row = await findRow(database, id);
  if (row === undefined) return undefined;
  return {
    id: row.id,
    displayName: row.display_name,
    cancelUri: row.cancel_uri ?? undefined,
    homeUri: row.home_uri ?? undefined,
    customizations: row.customizations,
    adaptiveSecondFactor: row.adaptive_second_factor,
    frontChannelLogoutUri: ownAddressOf(row.metadata, 'frontchannel_logout_uri'),
    initiateLoginUri: ownAddressOf(row.metadata, 'initiate_login_uri'),
    skipSplash: row.metadata['skip_splash'] === true,
    remembersAccounts: row.metadata['remember_accounts'] === true,
    branding: brandingOf(row.metadata),
  };
}

/** The URL of a front-end page, with the application's start parameters. */
export function pageAddressFor(
  client: Pick<Client, 'skipSplash'> | undefined,
  path: string,
  query: Record<string, string>,
): string {
  const search = new URLSearchParams({
    ...query,
    ...(client?.skipSplash === true && { skip_splash: 'true' }),
  });
  return `${path}?${search.toString()}`;
}

/**
 * The registered URL, if it is on the origin of one of the client's redirect URIs (Front-Channel Logout 1.0, 2). Other
 * URLs are ignored, so that our pages never frame or link to a third party.
 */
function ownAddressOf(
  metadata: ClientRow['metadata'],
  name: 'frontchannel_logout_uri' | 'initiate_login_uri',
): string | undefined {
  const { [name]: uri, redirect_uris: own } = metadata;
  const url = typeof uri === 'string' ? URL.parse(uri) : null;
  return url !== null && /^https?:$/.test(url.protocol) && webOriginsOf(own).has(url.origin)
    ? url.href
    : undefined;
}

/**
 * The client metadata for the provider. Settings that a client must not choose override its own metadata: the code flow
 * is the only one, with the response in the query, or as a form post if the redirect URIs are web pages.
 */
export async function findClientMetadata(
  database: Database,
  id: string,
): Promise<AdapterPayload | undefined> {
  const row = await findRow(database, id);
  return row && toProviderMetadata({ id: row.id, displayName: row.display_name, metadata: row.metadata });
}

export function toProviderMetadata(client: {
  id: string;
  displayName: string;
  metadata: Record<string, unknown>;
}): AdapterPayload {
  // Only this service uses these members. The provider would also reject their plain-http URLs in the local demo.
  const {
    initiate_login_uri: _ours,
    skip_splash: _oursToo,
    remember_accounts: _oursAsWell,
    id_token_alg: chosen,
    ...metadata
  } = client.metadata;
  const algorithm = v.parse(chosenAlgorithm, chosen);
  const isWeb = metadata['application_type'] !== 'native' && webOriginsOf(metadata['redirect_uris']).size > 0;
  return {
    ...metadata,
    ...(algorithm !== undefined && { id_token_signed_response_alg: algorithm }),
    client_id: client.id,
    client_name: client.displayName,
    // Services and APIs have no redirect URIs and sign in no users.
    ...(hasRedirectUris(metadata)
      ? { response_types: ['code'], response_modes: ['query', ...(isWeb ? ['form_post'] : [])] }
      : { response_types: [], redirect_uris: [] }),
  };
}

function hasRedirectUris({ redirect_uris: uris }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(uris) && uris.length > 0;
}

/**
 * The branding in a client's metadata. Invalid branding is ignored, so that a registration error does not block
 * sign-ins.
 */
export function brandingOf(metadata: Readonly<Record<string, unknown>>): Branding | undefined {
  const parsed = v.safeParse(branding, metadata['branding']);
  return parsed.success ? parsed.output : undefined;
}
