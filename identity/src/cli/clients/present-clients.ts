import type { Selectable } from 'kysely';
import * as v from 'valibot';
import { brandingOf } from '../../openid/registered-branding.ts';
import type { ClientsTable, Database } from '../../store/schema.ts';
import { pageThrough } from '../batches.ts';
import { authenticationMethods } from './client-entry.ts';
import type { ClientEntry } from './client-entry.ts';

type ClientRow = Selectable<ClientsTable>;

/** An application as it is kept, said as an entry says it. */
export type PresentClient = { entry: Required<ClientEntry>; row: ClientRow };

export async function findClientsById(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, PresentClient>> {
  const rows = await database.selectFrom('clients').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, { entry: toEntry(row), row }]));
}

export const clientFilters = {
  search: { flags: '--search <text>', help: 'with this in the id or the display name' },
};

const pageSize = 500;

export async function* listClients(
  database: Database,
  { search, after, limit }: Readonly<Record<string, string | boolean | undefined>>,
): AsyncGenerator<ClientEntry> {
  const found = pageThrough(
    (last: ClientRow | undefined, size) => {
      let query = database.selectFrom('clients').selectAll().orderBy('id').limit(size);
      const from = last?.id ?? (typeof after === 'string' ? after : undefined);
      if (from !== undefined) query = query.where('id', '>', from);
      if (typeof search === 'string') {
        const wanted = search.trim().toLowerCase();
        query = query.where((where) =>
          where.or(
            (['id', 'display_name'] as const).map((column) =>
              where(where.fn<number>('strpos', [where.fn('lower', [column]), where.val(wanted)]), '>', 0),
            ),
          ),
        );
      }
      return query.execute();
    },
    { size: pageSize, limit: limit === undefined ? Infinity : Number(limit) },
  );
  for await (const row of found) yield toEntry(row);
}

const addresses = v.fallback(v.array(v.string()), []);
const address = v.fallback(v.nullable(v.string()), null);
const method = v.fallback(v.picklist(authenticationMethods), 'client_secret_basic');

function toEntry({
  id,
  display_name,
  cancel_uri,
  home_uri,
  customizations,
  adaptive_second_factor,
  metadata,
}: ClientRow): Required<ClientEntry> {
  const brand = brandingOf(metadata);
  return {
    id,
    displayName: display_name,
    redirectUris: v.parse(addresses, metadata['redirect_uris']),
    postLogoutRedirectUris: v.parse(addresses, metadata['post_logout_redirect_uris']),
    authentication: v.parse(method, metadata['token_endpoint_auth_method']),
    jwksUri: v.parse(address, metadata['jwks_uri']),
    offlineAccess: v.parse(addresses, metadata['grant_types']).includes('refresh_token'),
    pkceOptional: metadata['pkce_optional'] === true,
    idTokenProfile: metadata['id_token_profile'] === true,
    homeUri: home_uri,
    cancelUri: cancel_uri,
    initiateLoginUri: v.parse(address, metadata['initiate_login_uri']),
    backChannelLogoutUri: v.parse(address, metadata['backchannel_logout_uri']),
    frontChannelLogoutUri: v.parse(address, metadata['frontchannel_logout_uri']),
    adaptiveSecondFactor: adaptive_second_factor,
    skipSplash: metadata['skip_splash'] === true,
    ...customizations,
    productName: brand?.productName ?? null,
    logoUrl: brand?.logoUrl ?? null,
    accentColour: brand?.accentColour ?? null,
  };
}
