import type { Config } from '../../config.ts';
import type { Noun } from '../noun.ts';
import { connectionEntry, connectionFieldSchemas, connectionFields } from './connection-entry.ts';
import type { ConnectionEntry } from './connection-entry.ts';
import { connectionFilters, listConnections } from './present-connections.ts';
import { planConnections, writeConnections } from './save-connections.ts';
import type { ConnectionsPlan, ConnectionsPrepared } from './save-connections.ts';

export type Connections = Noun<ConnectionEntry, ConnectionsPlan, ConnectionsPrepared>;

/** Ways to sign in at other organisations' identity providers. `secret` as `ConnectionsPrepared` has it. */
export function createConnections(
  config: Pick<Config, 'production'>,
  secret?: ConnectionsPrepared['secret'],
): Connections {
  return {
    name: 'connections',
    singular: 'connection',
    summary: "ways to sign in at other organisations' identity providers",
    keys: ['name'],
    fields: connectionFields,
    schema: connectionEntry,
    fieldSchemas: connectionFieldSchemas,
    uniqueIn: ({ name }) => [{ column: 'name', key: name }],
    plan: planConnections(config, secret),
    prepare: async (bench) => ({ services: await bench.services(), secret }),
    write: writeConnections,
    afterwards: (bench) => bench.tellApplications(),
    disabledAs: (isDisabled) => ({ disabled: isDisabled }),
    filters: connectionFilters,
    columns: ['name', 'displayName', 'kind', 'issuer', 'domains', 'sites', 'disabled'],
    list: listConnections,
  };
}

/** For what looks, and for switching. */
export const connections = createConnections({ production: false });
