import type { Selectable } from 'kysely';
import * as v from 'valibot';
import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import type { Keys } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import type { ExternalRequestsTable } from '../store/company-tables.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import type { VisitorRows } from '../store/visitor-rows.ts';
import type { ExternalProof } from './connection.ts';
import { qualifierNames } from './saml/vocabulary.ts';

type Needed = { database: Database; clock: Clock; random: Random; keys: Pick<Keys, 'oneTimeSecrets'> };

/** The time that a user has to sign in at the provider, including a second factor. */
export const requestLifetimeSeconds = 10 * 60;

/** A request to an identity provider, with its sign-in, its browser, and the values for checking the response. */
export type ExternalRequest = {
  connectionId: string;
  uid: string;
  browserId: string;
  /** The requested site; absent if only the e-mail domain selected the connection. */
  siteId: string | undefined;
  forceAuthentication: boolean;
  secrets: Readonly<Record<string, string>>;
  createdAt: Date;
};

/** Stores a request. Its id is sent to the provider and stored only as a keyed hash (192 random bits). */
export async function openExternalRequest(
  { database, clock, random, keys }: Needed,
  rows: VisitorRows,
  request: Omit<ExternalRequest, 'createdAt'>,
): Promise<{ id: string }> {
  const id = random.token(24);
  const now = clock.now();
  await database
    .insertInto('external_requests')
    .values(
      rows.bounded({
        id_hash: keyedHash(keys.oneTimeSecrets, idText(id)),
        connection_id: request.connectionId,
        uid: request.uid,
        browser_id: request.browserId,
        site_id: request.siteId,
        force_authentication: request.forceAuthentication,
        secrets: JSON.stringify(request.secrets),
        created_at: now,
        expires_at: addSeconds(now, requestLifetimeSeconds),
      }),
    )
    .execute();
  return { id };
}

/** Finds a pending request by id, without checking which browser sent it. */
export async function findOpenRequest(
  { database, clock, keys }: Needed,
  id: string,
): Promise<ExternalRequest | undefined> {
  const row = await database
    .selectFrom('external_requests')
    .selectAll()
    .where('id_hash', 'in', keyedHashes(keys.oneTimeSecrets, idText(id)))
    .where('proved_at', 'is', null)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  return row && toRequest(row);
}

/**
 * For responses that come with the browser's cookie (OpenID): consumes the request before its authorization code is
 * redeemed, so that only one of several parallel responses succeeds. A response in another browser finds no request
 * (attacks and faults, S14).
 */
export async function takeRequest(
  { database, clock, keys }: Needed,
  id: string,
  browserId: string,
): Promise<ExternalRequest | undefined> {
  const now = clock.now();
  const row = await database
    .updateTable('external_requests')
    .set({ consumed_at: now })
    .where('id_hash', 'in', keyedHashes(keys.oneTimeSecrets, idText(id)))
    .where('browser_id', '=', browserId)
    .where('proved_at', 'is', null)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  return row && toRequest(row);
}

/**
 * For responses that come without the cookie (SAML posts are cross-site): stores the proof with a single conditional
 * statement until the browser presents the ticket. Returns the ticket; undefined if the request has been answered or
 * has expired.
 */
export async function storeProof(
  transaction: DatabaseTransaction,
  { clock, random, keys }: Needed,
  id: string,
  proof: ExternalProof,
): Promise<string | undefined> {
  const ticket = random.token();
  const now = clock.now();
  const row = await transaction
    .updateTable('external_requests')
    .set({
      proof: JSON.stringify(proof),
      proved_at: now,
      ticket_hash: keyedHash(keys.oneTimeSecrets, ticketText(ticket)),
    })
    .where('id_hash', 'in', keyedHashes(keys.oneTimeSecrets, idText(id)))
    .where('proved_at', 'is', null)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id_hash')
    .executeTakeFirst();
  return row && ticket;
}

/** Consumes the ticket and returns its proof: once, and only in the browser that sent the request. */
export async function takeProof(
  { database, clock, keys }: Needed,
  ticket: string,
  browserId: string,
): Promise<{ request: ExternalRequest; proof: ExternalProof } | undefined> {
  const now = clock.now();
  const row = await database
    .updateTable('external_requests')
    .set({ consumed_at: now })
    .where('ticket_hash', 'in', keyedHashes(keys.oneTimeSecrets, ticketText(ticket)))
    .where('browser_id', '=', browserId)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  return row && { request: toRequest(row), proof: v.parse(proofOfRow, row.proof) };
}

const idText = (id: string): string => `external request ${id}`;
const ticketText = (ticket: string): string => `external ticket ${ticket}`;

/** The proof as parsed from JSON: undefined members are missing, and dates are strings. */
const proofOfRow = v.pipe(
  v.object({
    subject: v.string(),
    email: v.optional(v.string()),
    emailVerified: v.boolean(),
    emailClaim: v.string(),
    firstName: v.optional(v.string()),
    lastName: v.optional(v.string()),
    authenticatedAt: v.optional(v.pipe(v.string(), v.isoTimestamp())),
    sessionIndex: v.optional(v.string()),
    // rows written by a node of the previous release lack it
    subjectQualifiers: v.optional(v.array(v.picklist(qualifierNames)), []),
  }),
  v.transform(({ email, firstName, lastName, authenticatedAt, sessionIndex, ...rest }): ExternalProof => ({
    ...rest,
    email,
    firstName,
    lastName,
    authenticatedAt: authenticatedAt === undefined ? undefined : new Date(authenticatedAt),
    sessionIndex,
    // stored proofs come from SAML, which has no ID token
    idToken: undefined,
  })),
);

function toRequest(row: Selectable<ExternalRequestsTable>): ExternalRequest {
  return {
    connectionId: row.connection_id,
    uid: row.uid,
    browserId: row.browser_id,
    siteId: row.site_id ?? undefined,
    forceAuthentication: row.force_authentication,
    secrets: row.secrets,
    createdAt: row.created_at,
  };
}
