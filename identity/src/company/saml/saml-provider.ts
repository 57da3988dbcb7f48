import type { Clock } from '../../lib/clock.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Random } from '../../lib/random.ts';
import type { Database } from '../../store/schema.ts';
import type { Connection, SamlConnection } from '../connection.ts';
import {
  findConnection,
  findConnectionOfDomain,
  findConnectionOfIssuer,
  findDomain,
} from '../connections-store.ts';
import { ExternalFailure } from '../external-provider.ts';
import type { CompanyProvider } from '../external-provider.ts';
import { findOpenRequest, storeProof } from '../external-requests.ts';
import type { ExternalRequest } from '../external-requests.ts';
import { isFirstUse } from '../external-sessions.ts';
import { parsePosted } from './form.ts';
import { createLibrary } from './library.ts';
import { deriveSamlSigningKeys } from './own-keys.ts';
import { SamlRefusal } from './refusal.ts';
import { findIssuer } from './response-claims.ts';
import { writeMetadata, describeServiceProvider, signInFormPath } from './service-provider.ts';
import type { ServiceProvider } from './service-provider.ts';
import { parseResponse, readResponse, validateResponse } from './validate-response.ts';
import type { ParsedResponse, ReceivedResponse } from './validate-response.ts';
import type { XmlElement } from './xml-tree.ts';

/** What is known about the request when its response is rejected. */
export type KnownRequest = {
  request?: ExternalRequest;
  connection?: Connection;
  /** The response answers no request: the user has opened the service from a page of the provider. */
  isStartedByCompany?: boolean;
};

/** SAML 2.0 identity providers of other organisations (saml-profiles, 4.1: web browser SSO). */
export type CompanySamlProvider = CompanyProvider<SamlConnection> & {
  describe: (connection: SamlConnection) => ServiceProvider;
  metadata: (connection: SamlConnection) => string;
  /**
   * The form that sends a request with the POST binding; undefined if the request has expired or belongs to another
   * browser.
   * @throws ExternalFailure
   */
  findRequestForm: (
    id: string,
    browserId: string | undefined,
  ) => Promise<{ action: string; fields: Record<string, string> } | undefined>;
  /**
   * Validates a posted response, stores the proof and returns its ticket. Fills in `known` as it proceeds, for the
   * report of an error.
   * @throws SamlRefusal
   */
  receive: (body: string, known: KnownRequest) => Promise<string>;
};

/** Adds a `_`, because an XML id must start with a letter or `_` and a request's id can start with any character. */
const toRequestId = (externalRequestId: string): string => `_${externalRequestId}`;

export function createCompanySamlProvider(dependencies: {
  publicUrl: string;
  database: Database;
  clock: Clock;
  random: Random;
  keys: Pick<Keys, 'signing' | 'oneTimeSecrets' | 'clientSecrets'>;
}): CompanySamlProvider {
  const { publicUrl, database, clock, keys } = dependencies;
  const signing = deriveSamlSigningKeys(keys);
  const describe = (connection: SamlConnection): ServiceProvider =>
    describeServiceProvider(publicUrl, connection, signing);

  async function requirePendingRequest(
    received: ReceivedResponse,
    known: KnownRequest,
  ): Promise<PendingSamlRequest> {
    const id = received.inResponseTo.slice(1);
    const request =
      toRequestId(id) === received.inResponseTo ? await findOpenRequest(dependencies, id) : undefined;
    if (request === undefined) throw new SamlRefusal('unsolicited', 'no pending request, or it has expired');
    known.request = request;
    const connection = await findConnection(database, keys, request.connectionId);
    known.connection = connection;
    if (connection?.kind !== 'saml') throw new SamlRefusal('connection_gone');
    return { id, request, connection };
  }

  /** An assertion for another organisation's address is an attack or a misconfiguration. */
  async function requireOwnDomain({ id }: SamlConnection, email: string | undefined): Promise<void> {
    const domain = email === undefined ? undefined : findDomain(email);
    const owner = domain === undefined ? undefined : await findConnectionOfDomain(database, keys, domain);
    if (owner !== undefined && owner.id !== id) throw new SamlRefusal('foreign_email_domain');
  }

  /** @throws ExternalFailure if the connection's settings are unusable */
  async function writeRequest<Request>(
    connection: SamlConnection,
    { id, forceAuthentication }: { id: string; forceAuthentication: boolean },
    write: (library: ReturnType<typeof createLibrary>) => Promise<Request>,
  ): Promise<Request> {
    try {
      const messageId = toRequestId(id);
      return await write(createLibrary(connection, describe(connection), { messageId, forceAuthentication }));
    } catch (error) {
      const reason = error instanceof SamlRefusal ? error.message : 'the request could not be made';
      throw new ExternalFailure(reason, { cause: error });
    }
  }

  /** @throws SamlRefusal */
  async function acceptResponse(parsed: ParsedResponse, known: KnownRequest): Promise<string> {
    const received = readResponse(parsed);
    const { id, request, connection } = await requirePendingRequest(received, known);
    const { proof, assertionId, rememberUntil } = await validateResponse(
      received,
      {
        connection,
        serviceProvider: describe(connection),
        requestId: toRequestId(id),
        requestedAt: request.createdAt,
        forceAuthentication: request.forceAuthentication,
      },
      clock.now(),
    );
    await requireOwnDomain(connection, proof.email);
    // One transaction consumes both: an answered request with a still usable assertion would allow a replay.
    return await database.transaction().execute(async (transaction) => {
      const assertion = { connectionId: connection.id, id: assertionId, rememberUntil };
      if (!(await isFirstUse(transaction, assertion))) throw new SamlRefusal('replayed');
      const ticket = await storeProof(transaction, dependencies, id, proof);
      if (ticket === undefined) throw new SamlRefusal('replayed', 'the request has been answered');
      return ticket;
    });
  }

  /**
   * Finds the connection for the audit record of a rejection, and for a restarted sign-in: by the request that the
   * response claims to answer, or else by its issuer. Both claims are unverified.
   */
  async function nameConnection({ inResponseTo, issuer }: Claims, known: KnownRequest): Promise<void> {
    if (known.connection !== undefined) return;
    const id = inResponseTo?.slice(1);
    known.request ??= id === undefined ? undefined : await findOpenRequest(dependencies, id);
    known.connection =
      known.request === undefined
        ? await findConnectionOfIssuer(database, keys, issuer ?? '')
        : await findConnection(database, keys, known.request.connectionId);
  }

  return {
    // No secrets: the id and the time of the stored request are enough to check the response.
    createSecrets: () => ({}),
    describe,
    metadata: (connection) => writeMetadata(describe(connection), connection),

    async begin(connection, { id, forceAuthentication }) {
      if (connection.settings.entryPointBinding === 'post')
        return new URL(`${publicUrl}${signInFormPath}?${new URLSearchParams({ request: id }).toString()}`);
      // Sends no RelayState: the stored request contains the target, and a returned value would be unverified.
      return await writeRequest(
        connection,
        { id, forceAuthentication },
        async (library) => new URL(await library.getAuthorizeUrlAsync('', undefined, {})),
      );
    },

    async findRequestForm(id, browserId) {
      const request = await findOpenRequest(dependencies, id);
      if (request === undefined || request.browserId !== browserId) return undefined;
      const connection = await findConnection(database, keys, request.connectionId);
      if (connection?.kind !== 'saml') return undefined;
      const { forceAuthentication } = request;
      return await writeRequest(connection, { id, forceAuthentication }, async (library) => ({
        action: connection.settings.entryPoint,
        fields: { SAMLRequest: String((await library.getAuthorizeMessageAsync(''))['SAMLRequest']) },
      }));
    },

    async receive(body, known) {
      const { SAMLResponse: encoded } = parsePosted(body);
      if (encoded === undefined) throw new SamlRefusal('message_missing');
      let parsed: ParsedResponse;
      try {
        parsed = parseResponse(encoded);
      } catch (error) {
        if (error instanceof SamlRefusal) await nameConnection(findClaims(encoded), known);
        throw error;
      }
      if (!parsed.root.attributes.get('InResponseTo')) {
        known.isStartedByCompany = true;
        await nameConnection(claimsOf(parsed.root), known);
        throw new SamlRefusal('unsolicited');
      }
      return await acceptResponse(parsed, known).catch(async (error: unknown) => {
        if (error instanceof SamlRefusal) await nameConnection(claimsOf(parsed.root), known);
        throw error;
      });
    },
  };
}

/** What a response says about its request and its sender. */
type Claims = { inResponseTo: string | undefined; issuer: string | undefined };

function claimsOf(root: XmlElement): Claims {
  return { inResponseTo: root.attributes.get('InResponseTo'), issuer: findIssuer(root) };
}

/** Enough for the start tag and the issuer of a response. */
const startLength = 8_192;

/** The claims of a response that cannot be parsed. */
function findClaims(encoded: string): Claims {
  const start = Buffer.from(encoded.slice(0, startLength), 'base64').toString();
  const [, inResponseTo] = /\sInResponseTo\s*=\s*["']([\w-]{1,100})["']/.exec(start) ?? [];
  const [, issuer] = /<(?:\w+:)?Issuer(?:\s[^<>]*)?>\s*([^<\s]{1,1000})\s*</.exec(start) ?? [];
  return { inResponseTo, issuer };
}

type PendingSamlRequest = { id: string; request: ExternalRequest; connection: SamlConnection };
