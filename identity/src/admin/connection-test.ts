import type { ServerMetadata } from 'openid-client';
import { findConnection } from '../enterprise/connections-store.ts';
import type { Connection, OpenidConnection, SamlConnection } from '../enterprise/connection.ts';
import type { SigningKey } from '../lib/keys.ts';
import { ExternalFailure } from '../enterprise/external-provider.ts';
import { createDiscovery } from '../enterprise/openid/discovery.ts';
import { findAnnounced } from '../enterprise/openid/token-authentication.ts';
import { backChannelPath, callbackPath, signedOutPath } from '../enterprise/openid/openid-provider.ts';
import { createOutgoingFetch } from '../enterprise/openid/outgoing.ts';
import { fetchMetadata } from '../enterprise/saml/provider-metadata.ts';
import { parseCertificates } from '../enterprise/saml/certificates.ts';
import { describeServiceProvider } from '../enterprise/saml/service-provider.ts';
import { nameIdFormats } from '../enterprise/saml/vocabulary.ts';
import type { Database } from '../store/schema.ts';
import type { AdminContext } from './context.ts';

/** One thing that was looked at: whether it is as it must be, and what was seen. */
export type Finding = { what: string; holds: boolean; seen: string };

/**
 * Looks at a connection as a sign-in would use it, and says what the other side has to register. Nobody signs in by it.
 * @param id of one that is not disabled
 */
export async function testConnection(context: AdminContext, id: string): Promise<Finding[]> {
  const { keys } = await context.services();
  const connection = await findConnection(context.database, keys, id);
  if (connection === undefined) return [{ what: 'connection', holds: false, seen: 'it is disabled' }];
  const ways: Finding = {
    what: 'domains and sites',
    holds: (await countSites(context, connection)) + connection.emailDomains.length > 0,
    seen: `${connection.emailDomains.join(' ') || 'no domain'}; ${await countSites(context, connection)} sites`,
  };
  const found =
    connection.kind === 'saml'
      ? await trySaml(context, connection)
      : await tryOpenid(context, connection, keys.signing.keys);
  return [...found, ways];
}

async function trySaml(
  { config, clock, database }: AdminContext,
  connection: SamlConnection,
): Promise<Finding[]> {
  const { entityId, acsUrl, singleLogoutUrl } = describeServiceProvider(config.publicUrl, connection, []);
  const certificates = parseCertificates(connection.settings.certificates);
  const { entryPoint, entryPointBinding } = connection.settings;
  return [
    { what: 'sign-ins', holds: true, seen: `${entryPointBinding ?? 'redirect'} to ${entryPoint}` },
    await tryNameId(database, connection),
    ...(await tryMetadata(config, clock, connection)),
    ...certificates.map((certificate) => ({
      what: 'certificate',
      // its key counts and not its date, but a provider changes it when it is over
      holds: new Date(certificate.validTo) > clock.now(),
      seen: `${certificate.subject.replaceAll('\n', ', ')}, until ${new Date(certificate.validTo).toISOString().slice(0, 10)}`,
    })),
    { what: 'to register there: entity id', holds: true, seen: entityId },
    { what: 'to register there: assertion consumer', holds: true, seen: acsUrl },
    { what: 'to register there: single logout', holds: true, seen: singleLogoutUrl },
  ];
}

/** What the next refresh would find at the address. */
async function tryMetadata(
  { external }: AdminContext['config'],
  clock: AdminContext['clock'],
  { settings: { metadataUrl, issuer } }: SamlConnection,
): Promise<Finding[]> {
  if (metadataUrl === undefined) return [];
  try {
    const read = await fetchMetadata(createOutgoingFetch(external), metadataUrl, clock.now());
    return [{ what: 'metadata', holds: read.issuer === issuer, seen: `${read.issuer} at ${metadataUrl}` }];
  } catch (error) {
    return [{ what: 'metadata', holds: false, seen: `${causeOf(error)}; the last good copy is used` }];
  }
}

const transientAdvice =
  'the provider answers with transient NameIDs, which name nobody twice and are refused: set --name-id-format persistent, and let the provider send it';

/** Known from the metadata, or from the last sign-in that was refused for it since the connection was changed. */
async function tryNameId(database: Database, { id, settings }: SamlConnection): Promise<Finding> {
  const { nameIdFormat, offeredNameIdFormats = [] } = settings;
  const refused = await database
    .selectFrom('audit_events')
    .innerJoin('connections', 'connections.name', 'audit_events.connection')
    .select('audit_events.at')
    .where('connections.id', '=', id)
    .where('event', '=', 'external.prove')
    .where('reason', '=', 'name_id_format')
    .whereRef('audit_events.at', '>', 'connections.updated_at')
    .orderBy('audit_events.at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const what = 'NameID';
  if (refused !== undefined)
    return {
      what,
      holds: false,
      seen: `a sign-in was refused for its format (name_id_format) at ${refused.at.toISOString()}: ${nameIdFormat === undefined ? transientAdvice : `the provider must send ${nameIdFormat}`}`,
    };
  if (nameIdFormat === undefined && offeredNameIdFormats[0] === nameIdFormats.transient)
    return { what, holds: false, seen: `by its metadata ${transientAdvice}` };
  return { what, holds: true, seen: nameIdFormat ?? 'as the provider chooses; never transient' };
}

async function tryOpenid(
  { config, clock, log }: AdminContext,
  connection: OpenidConnection,
  signing: readonly SigningKey[],
): Promise<Finding[]> {
  const { privateAddresses, insecure } = config.external;
  const fetch = createOutgoingFetch({ privateAddresses, insecure });
  const { signOutThere } = connection.settings;
  const toRegister = [
    ['redirect address', callbackPath],
    ...(signOutThere ? [['address after a sign-out', signedOutPath]] : []),
    // for a provider that tells of its sign-outs; nobody has to
    ['back-channel sign-out', `${backChannelPath}/${connection.name}`],
  ].map(([what, path]) => ({
    what: `to register there: ${what}`,
    holds: true,
    seen: `${config.publicUrl}${path}`,
  }));
  try {
    const configuration = await createDiscovery({ clock, log, fetch, insecure, signing })(connection);
    const server = configuration.serverMetadata();
    const hasCodeFlow = server.response_types_supported?.includes('code') !== false;
    const methods = server.code_challenge_methods_supported;
    return [
      { what: 'discovery', holds: true, seen: server.issuer },
      {
        what: 'code flow',
        holds: hasCodeFlow,
        seen: server.authorization_endpoint ?? 'no authorization endpoint',
      },
      {
        what: 'tokens',
        holds: server.token_endpoint !== undefined,
        seen: server.token_endpoint ?? 'no token endpoint',
      },
      { what: 'keys', ...(await tryKeys(fetch, server.jwks_uri)) },
      // announced by few of those that have it (RFC 8414 leaves it optional)
      {
        what: 'PKCE',
        holds: methods?.includes('S256') !== false,
        seen: methods?.join(' ') ?? 'not announced',
      },
      {
        what: 'authentication at the token endpoint',
        ...tryTokenAuthentication(connection, server),
      },
      ...(signOutThere
        ? [
            {
              what: 'sign-outs there',
              holds: server.end_session_endpoint !== undefined,
              seen: server.end_session_endpoint ?? 'no end_session_endpoint',
            },
          ]
        : []),
      ...toRegister,
    ];
  } catch (error) {
    return [{ what: 'discovery', holds: false, seen: causeOf(error) }, ...toRegister];
  }
}

function tryTokenAuthentication(
  { settings, clientSecret }: OpenidConnection,
  server: ServerMetadata,
): Omit<Finding, 'what'> {
  const chosen = settings.tokenAuthentication;
  const announced = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const seen = `the provider announces ${announced.join(' ')}`;
  if (clientSecret === undefined && chosen === undefined)
    return { holds: true, seen: `none: a public client; ${seen}` };
  const method = chosen ?? findAnnounced(server);
  // RFC 6749, 2.3.1: each other character is percent-encoded
  const isEncoded = method === 'client_secret_basic' && /[^A-Za-z0-9]/.test(clientSecret ?? '');
  const advice = isEncoded
    ? '. The secret is percent-encoded: if the provider answers invalid_client, set --token-authentication client_secret_post or client_secret_basic_unencoded'
    : '';
  return {
    holds: announced.includes(method.replace('_unencoded', '')),
    seen: `${method}; ${seen}${advice}`,
  };
}

async function tryKeys(
  fetch: ReturnType<typeof createOutgoingFetch>,
  address: string | undefined,
): Promise<Omit<Finding, 'what'>> {
  if (address === undefined) return { holds: false, seen: 'no address of keys' };
  try {
    const response = await fetch(address, { method: 'GET', headers: { accept: 'application/json' } });
    const { keys } = (await response.json()) as { keys?: unknown };
    const count = Array.isArray(keys) ? keys.length : 0;
    return { holds: count > 0, seen: `${count} at ${address}` };
  } catch (error) {
    return { holds: false, seen: causeOf(error) };
  }
}

/** The innermost reason: "connection refused" says more than "discovery failed". */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return causeOf(error.cause);
  return error instanceof ExternalFailure ? error.reason : error.message;
}

async function countSites({ database }: AdminContext, { id }: Connection): Promise<number> {
  const { count } = await database
    .selectFrom('sites')
    .select((select) => select.fn.countAll().as('count'))
    .where('connection_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(count);
}
