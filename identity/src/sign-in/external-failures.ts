import type { AuditEvent } from '../audit/audit.ts';
import type { Connection, ExternalProof } from '../enterprise/connection.ts';
import type { FoundPerson } from '../enterprise/find-person.ts';
import type { Exchange } from '../http/exchange.ts';
import type { NewErrorRecord } from '../error-records/error-records.ts';
import { buildReturnUrl } from '../openid/return-url.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';
import type { Services } from '../services.ts';

const errorPage = '/ui/home/error';
const requireVerifiedEmailPage = '/ui/home/require-verified-login-email';

/** The code of every failure whose reason is the operators' alone. */
const generic = 'external_sign_in_failed';

type Needed = Pick<Services, 'audit' | 'errorRecords'>;

/** What is known of the trip when it fails. */
export type FailedTrip = {
  event: Extract<AuditEvent['event'], 'external.begin' | 'external.prove' | 'external.link'>;
  /** For the log and the audit alone. */
  reason: string;
  connection?: Connection | undefined;
  signIn?: SignIn | undefined;
  personId?: string | undefined;
  site?: string | undefined;
};

/** Notes why, and answers the page that the browser goes to: it says what the person can do about it, and nothing more. */
export async function fail(
  services: Needed,
  trip: FailedTrip,
  exchange: Exchange,
  record: Pick<NewErrorRecord, 'error' | 'data'> = { error: generic },
): Promise<string> {
  noteFailure(services, trip, exchange);
  const errorId = await services.errorRecords.store(record, exchange);
  return withReturnAddress(errorPage, trip.signIn, { errorId });
}

/** The same for somebody whom a provider vouches for and who is nobody here (specification, point 8, error page codes). */
export async function failForNobody(
  services: Needed,
  trip: Omit<FailedTrip, 'event' | 'reason'>,
  found: Extract<FoundPerson, { nobody: unknown }>,
  { email, emailClaim }: Pick<ExternalProof, 'email' | 'emailClaim'>,
  exchange: Exchange,
): Promise<string> {
  const failed: FailedTrip = { ...trip, event: 'external.link', reason: found.reason };
  switch (found.nobody) {
    case 'email-not-verified':
      noteFailure(services, failed, exchange);
      return withReturnAddress(requireVerifiedEmailPage, trip.signIn);
    case 'no-email':
      return await fail(services, failed, exchange, {
        error: 'email_claim_not_found',
        data: { 'Claim Name': emailClaim },
      });
    case 'unknown':
      return await fail(services, failed, exchange, {
        error: 'user_login_email_not_found',
        // the person's own, as their company has just told it
        data: { 'Email Address': email ?? '', 'Claim Name': emailClaim },
      });
  }
}

/** Why a trip came to nothing, for operators. */
export function noteFailure(
  { audit }: Needed,
  { event, reason, connection, signIn, personId, site }: FailedTrip,
  exchange: Exchange,
): void {
  audit.note(
    {
      event,
      result: 'failure',
      reason,
      personId,
      site,
      clientId: signIn?.clientId,
      connection: connection?.name,
    },
    exchange,
  );
}

/** The same page without a record, where there have been too many. */
export function plainErrorPage(signIn?: SignIn): string {
  return withReturnAddress(errorPage, signIn);
}

/** The page keeps the way back to the beginning: its "start again" leads there. */
function withReturnAddress(
  path: string,
  signIn: SignIn | undefined,
  query: Record<string, string> = {},
): string {
  const all = new URLSearchParams(query);
  if (signIn !== undefined) all.set('ReturnUrl', buildReturnUrl(signIn.uid, signIn.parameters));
  const text = all.toString();
  return text === '' ? path : `${path}?${text}`;
}
