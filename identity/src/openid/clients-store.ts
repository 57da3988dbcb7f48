import type { Branding } from '@anteroom/contract';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { AdapterPayload } from 'oidc-provider';
import { hasControlCharacter } from '../lib/control-characters.ts';
import type { ClientsTable, Database, LoginFlowCustomizations } from '../store/schema.ts';
import { brandingOf } from './registered-branding.ts';

/** What a sign-in must know about the application that started it. */
export type Client = {
  id: string;
  displayName: string;
  /** Where "cancel" and "back to boards" lead. */
  cancelUri: string | undefined;
  /** The application's own start page. */
  homeUri: string | undefined;
  customizations: LoginFlowCustomizations;
  /** A private computer may be remembered instead of a code each time. */
  adaptiveSecondFactor: boolean;
  /** Where the browser tells it of a sign-out. */
  frontChannelLogoutUri: string | undefined;
  /** Where another party may ask it to begin a sign-in (OpenID Connect Core, 4). */
  initiateLoginUri: string | undefined;
  /** Its pages come without the splash screen (`skip_splash`). */
  skipSplash: boolean;
  /** How it wants to be recognised; the front end checks each part once more. */
  branding: Branding | undefined;
};

type ClientRow = Selectable<ClientsTable>;

/**
 * Every step of a sign-in asks for its application, which changes once in a while. What an operator changes counts on every
 * node this much later; a client that is not known is asked for each time.
 */
const rememberMs = 5000;
const remembered = new WeakMap<Database, Map<string, { row: ClientRow; untilMs: number }>>();

async function findRow(database: Database, id: string): Promise<ClientRow | undefined> {
  // The id may come from inside a JWT: `sub` of a client assertion, `aud` of an ID token hint.
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

/** Adds a client that is a part of the service: it stands in no table. */
export function addBuiltInClient(database: Database, row: ClientRow): void {
  const rows = remembered.get(database) ?? new Map<string, { row: ClientRow; untilMs: number }>();
  remembered.set(database, rows.set(row.id, { row, untilMs: Infinity }));
}

const rememberedOrigins = new WeakMap<Database, { origins: ReadonlySet<string>; untilMs: number }>();

/** The origins of all public clients, whose pages call the provider themselves. */
export async function findPublicClientOrigins(database: Database): Promise<ReadonlySet<string>> {
  const known = rememberedOrigins.get(database);
  if (known !== undefined && performance.now() < known.untilMs) return known.origins;
  const rows = await database
    .selectFrom('clients')
    .select('metadata')
    .where(sql<boolean>`metadata ->> 'token_endpoint_auth_method' = 'none'`)
    .execute();
  const origins = new Set(rows.flatMap(({ metadata }) => [...webOriginsOf(metadata['redirect_uris'])]));
  rememberedOrigins.set(database, { origins, untilMs: performance.now() + rememberMs });
  return origins;
}

/** The origins of http(s) addresses. Any other scheme has the origin "null", which every sandboxed frame sends too. */
export function webOriginsOf(addresses: unknown): ReadonlySet<string> {
  const urls = Array.isArray(addresses) ? addresses.map((address) => URL.parse(String(address))) : [];
  return new Set(
    urls.filter((url) => url !== null && /^https?:$/.test(url.protocol)).map((url) => String(url?.origin)),
  );
}

/** An application by its client id, for the context of a sign-in. */
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
    branding: brandingOf(row.metadata),
  };
}

/** The address of a page of the front end, as the application wants it to begin. */
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
 * The registered address, when it stands where the application itself is: on the origin of one of its redirect addresses
 * (Front-Channel Logout 1.0, 2). Any other is left out, so that no page of ours frames a stranger or leads to one.
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
 * An application as the provider takes it. What no client may choose for itself stands after its own metadata:
 * the code flow alone, answered in the query, or in a form where its redirect URIs are web pages.
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
  // ours to know, and the provider would take no plain http, which the demonstration on one machine has
  const { initiate_login_uri: _ours, skip_splash: _oursToo, ...metadata } = client.metadata;
  const isWeb = webOriginsOf(metadata['redirect_uris']).size > 0;
  return {
    ...metadata,
    client_id: client.id,
    client_name: client.displayName,
    // services and APIs sign nobody in
    ...(hasRedirectUris(metadata)
      ? { response_types: ['code'], response_modes: ['query', ...(isWeb ? ['form_post'] : [])] }
      : { response_types: [], redirect_uris: [] }),
  };
}

function hasRedirectUris({ redirect_uris: uris }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(uris) && uris.length > 0;
}
