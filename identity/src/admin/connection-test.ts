import type { ServerMetadata } from 'openid-client';
import { findConnection } from '../company/connections-store.ts';
import type { Connection, OpenidConnection, SamlConnection } from '../company/connection.ts';
import type { SigningKey } from '../lib/keys.ts';
import { readableDomain } from '../lib/names.ts';
import { ExternalFailure } from '../company/external-provider.ts';
import { createDiscovery } from '../company/openid/discovery.ts';
import { findAnnounced } from '../company/openid/token-authentication.ts';
import { backChannelPath, callbackPath, signedOutPath } from '../company/openid/company-provider.ts';
import { createOutgoingFetch } from '../company/openid/outgoing.ts';
import { fetchMetadata } from '../company/saml/provider-metadata.ts';
import { parseCertificates } from '../company/saml/certificates.ts';
import { describeServiceProvider } from '../company/saml/service-provider.ts';
import { nameIdFormats } from '../company/saml/vocabulary.ts';
import type { Database } from '../store/schema.ts';
import { permit } from './actor.ts';
import { connections } from './connections.ts';
import type { AdminContext } from './admin-context.ts';
import type { Scope } from './permissions.ts';

export type Finding = { check: string; ok: boolean; detail: string };

/**
 * Tests a connection without signing in, and lists the values to register at the provider.
 * @throws RefusedError if there is no such connection within the scope
 */
export async function testConnection(context: AdminContext, name: string): Promise<Finding[]> {
  const scope = permit(context, 'connections:read');
  const { row } = await connections.require(context.database, { name }, scope);
  const { keys } = await context.services();
  const connection = await findConnection(context.database, keys, row.id);
  if (connection === undefined) return [{ check: 'connection', ok: false, detail: 'it is disabled' }];
  const sites = await countSites(context, connection, scope);
  const routes: Finding = {
    check: 'domains and sites',
    ok: sites + connection.emailDomains.length > 0,
    detail: `${connection.emailDomains.map(readableDomain).join(' ') || 'no domain'}; ${sites} sites`,
  };
  const found =
    connection.kind === 'saml'
      ? await trySaml(context, connection)
      : await tryOpenid(context, connection, keys.signing.keys);
  return [...found, routes];
}

async function trySaml(
  { config, clock, database }: AdminContext,
  connection: SamlConnection,
): Promise<Finding[]> {
  const { entityId, acsUrl, singleLogoutUrl } = describeServiceProvider(config.publicUrl, connection, []);
  const certificates = parseCertificates(connection.settings.certificates);
  const { entryPoint, entryPointBinding } = connection.settings;
  return [
    { check: 'sign-ins', ok: true, detail: `${entryPointBinding ?? 'redirect'} to ${entryPoint}` },
    await tryNameId(database, connection),
    ...(await tryMetadata(config, clock, connection)),
    ...certificates.map((certificate) => ({
      check: 'certificate',
      // the service ignores the date, but a provider replaces an expired certificate
      ok: new Date(certificate.validTo) > clock.now(),
      detail: `${certificate.subject.replaceAll('\n', ', ')}, until ${new Date(certificate.validTo).toISOString().slice(0, 10)}`,
    })),
    { check: 'register at the provider: entity id', ok: true, detail: entityId },
    { check: 'register at the provider: assertion consumer', ok: true, detail: acsUrl },
    { check: 'register at the provider: single logout', ok: true, detail: singleLogoutUrl },
  ];
}

/** Reads the metadata as the daily refresh does. */
async function tryMetadata(
  { external }: AdminContext['config'],
  clock: AdminContext['clock'],
  { settings: { metadataUrl, issuer } }: SamlConnection,
): Promise<Finding[]> {
  if (metadataUrl === undefined) return [];
  try {
    const read = await fetchMetadata(createOutgoingFetch(external), metadataUrl, clock.now());
    return [{ check: 'metadata', ok: read.issuer === issuer, detail: `${read.issuer} at ${metadataUrl}` }];
  } catch (error) {
    return [{ check: 'metadata', ok: false, detail: `${causeOf(error)}; the last good copy is used` }];
  }
}

const transientAdvice =
  'the provider answers with transient NameIDs, which are refused because they differ at each sign-in: set --name-id-format persistent, and configure the provider to send it';

/** Checks the metadata, and the latest sign-in that was refused for its NameID format since the connection was changed. */
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
  const check = 'NameID';
  if (refused !== undefined)
    return {
      check,
      ok: false,
      detail: `a sign-in was refused for its format (name_id_format) at ${refused.at.toISOString()}: ${nameIdFormat === undefined ? transientAdvice : `the provider must send ${nameIdFormat}`}`,
    };
  if (nameIdFormat === undefined && offeredNameIdFormats[0] === nameIdFormats.transient)
    return { check, ok: false, detail: `according to its metadata ${transientAdvice}` };
  return { check, ok: true, detail: nameIdFormat ?? 'the choice of the provider, except transient' };
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
    // Optional: only providers that notify this service of sign-outs need it.
    ['back-channel sign-out', `${backChannelPath}/${connection.name}`],
  ].map(([check, path]) => ({
    check: `register at the provider: ${check}`,
    ok: true,
    detail: `${config.publicUrl}${path}`,
  }));
  try {
    const configuration = await createDiscovery({ clock, log, fetch, insecure, signing })(connection);
    const server = configuration.serverMetadata();
    const hasCodeFlow = server.response_types_supported?.includes('code') !== false;
    const methods = server.code_challenge_methods_supported;
    return [
      { check: 'discovery', ok: true, detail: server.issuer },
      {
        check: 'code flow',
        ok: hasCodeFlow,
        detail: server.authorization_endpoint ?? 'no authorization endpoint',
      },
      {
        check: 'tokens',
        ok: server.token_endpoint !== undefined,
        detail: server.token_endpoint ?? 'no token endpoint',
      },
      { check: 'keys', ...(await tryKeys(fetch, server.jwks_uri)) },
      // PKCE counts as supported unless the metadata contradicts it: RFC 8414 makes the member optional, and few
      // providers send it.
      {
        check: 'PKCE',
        ok: methods?.includes('S256') !== false,
        detail: methods?.join(' ') ?? 'not announced',
      },
      {
        check: 'authentication at the token endpoint',
        ...tryTokenAuthentication(connection, server),
      },
      ...(signOutThere
        ? [
            {
              check: 'sign-out at the provider',
              ok: server.end_session_endpoint !== undefined,
              detail: server.end_session_endpoint ?? 'no end_session_endpoint',
            },
          ]
        : []),
      ...toRegister,
    ];
  } catch (error) {
    return [{ check: 'discovery', ok: false, detail: causeOf(error) }, ...toRegister];
  }
}

function tryTokenAuthentication(
  { settings, clientSecret }: OpenidConnection,
  server: ServerMetadata,
): Omit<Finding, 'check'> {
  const chosen = settings.tokenAuthentication;
  const announced = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const detail = `the provider announces ${announced.join(' ')}`;
  if (clientSecret === undefined && chosen === undefined)
    return { ok: true, detail: `none: a public client; ${detail}` };
  const method = chosen ?? findAnnounced(server);
  // RFC 6749, 2.3.1, requires all other characters to be percent-encoded.
  const isEncoded = method === 'client_secret_basic' && /[^A-Za-z0-9]/.test(clientSecret ?? '');
  const advice = isEncoded
    ? '. The secret is percent-encoded: if the provider answers invalid_client, set --token-authentication client_secret_post or client_secret_basic_unencoded'
    : '';
  return {
    ok: announced.includes(method.replace('_unencoded', '')),
    detail: `${method}; ${detail}${advice}`,
  };
}

async function tryKeys(
  fetch: ReturnType<typeof createOutgoingFetch>,
  address: string | undefined,
): Promise<Omit<Finding, 'check'>> {
  if (address === undefined) return { ok: false, detail: 'no jwks_uri' };
  try {
    const response = await fetch(address, { method: 'GET', headers: { accept: 'application/json' } });
    const { keys } = (await response.json()) as { keys?: unknown };
    const count = Array.isArray(keys) ? keys.length : 0;
    return { ok: count > 0, detail: `${count} at ${address}` };
  } catch (error) {
    return { ok: false, detail: causeOf(error) };
  }
}

/** The innermost cause: "connection refused" is more specific than "discovery failed". */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return causeOf(error.cause);
  return error instanceof ExternalFailure ? error.reason : error.message;
}

async function countSites({ database }: AdminContext, { id }: Connection, scope: Scope): Promise<number> {
  const { count } = await database
    .selectFrom('sites')
    .select((select) => select.fn.countAll().as('count'))
    .where('connection_id', '=', id)
    .$if(scope !== 'all', (query) => query.where('name', 'in', scope === 'all' ? [] : scope))
    .executeTakeFirstOrThrow();
  return Number(count);
}
