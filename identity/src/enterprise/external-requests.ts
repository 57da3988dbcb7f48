import type { Selectable } from 'kysely';
import * as v from 'valibot';
import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import type { Keys } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import type { ExternalRequestsTable } from '../store/company-tables.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import type { ExternalProof } from './connection.ts';
import { qualifierNames } from './saml/vocabulary.ts';

type Needed = { database: Database; clock: Clock; random: Random; keys: Pick<Keys, 'oneTimeSecrets'> };

/** Somebody finds their second factor at the provider within this time, or begins again. */
export const tripSeconds = 10 * 60;

/** One trip to a provider: for which sign-in and in which browser it was begun, and what its answer is checked with. */
export type ExternalRequest = {
  connectionId: string;
  uid: string;
  browserId: string;
  /** The site that the trip was begun for; absent when the e-mail's domain alone decided. */
  siteId: string | undefined;
  forceAuthentication: boolean;
  secrets: Readonly<Record<string, string>>;
  createdAt: Date;
};

/** Notes a trip; the id is told to the provider and kept only as a keyed hash (192 random bits). */
export async function openExternalRequest(
  { database, clock, random, keys }: Needed,
  request: Omit<ExternalRequest, 'createdAt'>,
): Promise<{ id: string }> {
  const id = random.token(24);
  const now = clock.now();
  await database
    .insertInto('external_requests')
    .values({
      id_hash: keyedHash(keys.oneTimeSecrets, idText(id)),
      connection_id: request.connectionId,
      uid: request.uid,
      browser_id: request.browserId,
      site_id: request.siteId,
      force_authentication: request.forceAuthentication,
      secrets: JSON.stringify(request.secrets),
      created_at: now,
      expires_at: addSeconds(now, tripSeconds),
    })
    .execute();
  return { id };
}

/** The trip of that id that is still waiting for its answer. It says nothing of the browser that asks. */
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
 * For answers that come with the browser's cookie (OpenID): ends the trip before its code is redeemed, so that of any number
 * of parallel answers one alone goes on. Another browser finds nothing and ends nothing (attacks and faults, S14).
 */
export async function takeRequest(
  { database, clock, keys }: Needed,
  id: string,
  browserId: string,
): Promise<ExternalRequest | undefined> {
  const row = await database
    .updateTable('external_requests')
    .set({ consumed_at: clock.now() })
    .where('id_hash', 'in', keyedHashes(keys.oneTimeSecrets, idText(id)))
    .where('browser_id', '=', browserId)
    .where('proved_at', 'is', null)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .returningAll()
    .executeTakeFirst();
  return row && toRequest(row);
}

/**
 * For answers that come without it (SAML posts cross-site): keeps what was proved until the browser itself comes for it with
 * the ticket. One conditional statement: undefined when the trip has been answered already, or is over.
 */
export async function keepProof(
  transaction: DatabaseTransaction,
  { clock, random, keys }: Needed,
  id: string,
  proof: ExternalProof,
): Promise<string | undefined> {
  const ticket = random.token();
  const row = await transaction
    .updateTable('external_requests')
    .set({
      proof: JSON.stringify(proof),
      proved_at: clock.now(),
      ticket_hash: keyedHash(keys.oneTimeSecrets, ticketText(ticket)),
    })
    .where('id_hash', 'in', keyedHashes(keys.oneTimeSecrets, idText(id)))
    .where('proved_at', 'is', null)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .returning('id_hash')
    .executeTakeFirst();
  return row && ticket;
}

/** What a ticket stands for: once, and only in the browser that the trip was begun in. */
export async function takeProof(
  { database, clock, keys }: Needed,
  ticket: string,
  browserId: string,
): Promise<{ request: ExternalRequest; proof: ExternalProof } | undefined> {
  const row = await database
    .updateTable('external_requests')
    .set({ consumed_at: clock.now() })
    .where('ticket_hash', 'in', keyedHashes(keys.oneTimeSecrets, ticketText(ticket)))
    .where('browser_id', '=', browserId)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .returningAll()
    .executeTakeFirst();
  return row && { request: toRequest(row), proof: v.parse(proofOfRow, row.proof) };
}

/** Forgets trips that are over; answers how many. */
export async function pruneExternalRequests(database: Database, now: Date): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('external_requests')
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const idText = (id: string): string => `external request ${id}`;
const ticketText = (ticket: string): string => `external ticket ${ticket}`;

/** As JSON keeps it: what was undefined is not there, and a date is a text. */
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
    // a node of the release before keeps none
    subjectQualifiers: v.optional(v.array(v.picklist(qualifierNames)), []),
  }),
  v.transform(({ email, firstName, lastName, authenticatedAt, sessionIndex, ...rest }): ExternalProof => ({
    ...rest,
    email,
    firstName,
    lastName,
    authenticatedAt: authenticatedAt === undefined ? undefined : new Date(authenticatedAt),
    sessionIndex,
    // a proof that is kept came by SAML, which has none
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
