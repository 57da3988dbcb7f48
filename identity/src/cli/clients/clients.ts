import { createClientCheck } from '../../openid/check-client.ts';
import type { Noun } from '../noun.ts';
import type { Workbench } from '../workbench.ts';
import { clientEntry, clientFieldSchemas, clientFields } from './client-entry.ts';
import type { ClientEntry } from './client-entry.ts';
import { findFaultsOfClient } from './client-faults.ts';
import { clientFilters, listClients } from './present-clients.ts';
import { planClients, writeClients } from './save-clients.ts';
import type { ClientsPlan, ClientsPrepared, FindFaults } from './save-clients.ts';

export type Clients = Noun<ClientEntry, ClientsPlan, ClientsPrepared>;

/** The applications that people sign in at. `secrets` is filled with those that are made. */
export function createClients(findFaults: FindFaults, secrets: Map<string, string>): Clients {
  return {
    name: 'clients',
    singular: 'client',
    summary: 'the applications that people sign in at',
    keys: ['id'],
    fields: clientFields,
    schema: clientEntry,
    fieldSchemas: clientFieldSchemas,
    uniqueIn: ({ id }) => [{ column: 'id', key: id }],
    plan: planClients(findFaults),
    prepare: () => Promise.resolve({ secrets }),
    write: writeClients,
    // an application has no such state: it is registered or it is not
    disabledAs: () => ({}),
    filters: clientFilters,
    columns: ['id', 'displayName', 'authentication', 'redirectUris'],
    list: listClients,
  };
}

/** For what looks and does not write. */
export const clients = createClients(() => [], new Map());

/** Everything that the provider and the service would have against a registration. */
export async function createFaultFinder(bench: Workbench): Promise<FindFaults> {
  const check = createClientCheck(await bench.services());
  return (entry, metadata) => {
    const faults = findFaultsOfClient(entry, bench.config);
    const refusal = check({ id: entry.id, displayName: entry.displayName ?? '', metadata });
    return refusal === undefined ? faults : [...faults, { column: columnOf(refusal), reason: refusal }];
  };
}

/** The provider names a member of its metadata; operators know the field. */
function columnOf(refusal: string): string {
  const fields: Readonly<Record<string, string>> = {
    redirect_uris: 'redirectUris',
    post_logout_redirect_uris: 'postLogoutRedirectUris',
    jwks_uri: 'jwksUri',
    token_endpoint_auth_method: 'authentication',
    backchannel_logout_uri: 'backChannelLogoutUri',
    initiate_login_uri: 'initiateLoginUri',
  };
  return fields[/\w+/.exec(refusal)?.[0] ?? ''] ?? 'id';
}
