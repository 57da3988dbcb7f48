import type { AuditEvent } from '../audit/audit.ts';
import type { Connection, ExternalProof } from './connection.ts';
import type { UserLookup } from './find-user.ts';
import type { Exchange } from '../http/exchange.ts';
import { paths } from '../http/page-addresses.ts';
import type { NewErrorRecord } from '../error-records/error-records.ts';
import { buildReturnUrl } from '../provider/return-url.ts';
import type { SignIn } from '../sign-in/sign-ins-store.ts';
import type { Services } from '../services.ts';

/** The error code for every failure whose reason must not be shown to visitors. */
const generic = 'external_sign_in_failed';

type Needed = Pick<Services, 'audit' | 'errorRecords'>;

/** The known facts of a failed external sign-in. */
export type FailedExternalSignIn = {
  event: Extract<AuditEvent['event'], 'external.begin' | 'external.prove' | 'external.link'>;
  /** Only for the log and the audit log. */
  reason: string;
  connection?: Connection | undefined;
  signIn?: SignIn | undefined;
  userId?: string | undefined;
  site?: string | undefined;
};

/** Records the failure and returns the address of the error page. The page tells the visitor only how to proceed. */
export async function fail(
  services: Needed,
  failed: FailedExternalSignIn,
  exchange: Exchange,
  record: Pick<NewErrorRecord, 'error' | 'data'> = { error: generic },
): Promise<string> {
  noteFailure(services, failed, exchange);
  const errorId = await services.errorRecords.store(record, exchange);
  return withReturnAddress(paths.error, failed.signIn, { errorId });
}

/**
 * Does the same as `fail` for a user whom the provider has authenticated but who has no account here (specification,
 * point 8, error page codes).
 */
export async function failWithoutAccount(
  services: Needed,
  known: Omit<FailedExternalSignIn, 'event' | 'reason'>,
  found: Extract<UserLookup, { notFound: unknown }>,
  { email, emailClaim }: Pick<ExternalProof, 'email' | 'emailClaim'>,
  exchange: Exchange,
): Promise<string> {
  const failed: FailedExternalSignIn = { ...known, event: 'external.link', reason: found.reason };
  switch (found.notFound) {
    case 'email-not-verified':
      noteFailure(services, failed, exchange);
      return withReturnAddress(paths.requireVerifiedEmail, known.signIn);
    case 'no-email':
      return await fail(services, failed, exchange, {
        error: 'email_claim_not_found',
        data: { 'Claim Name': emailClaim },
      });
    case 'unknown':
      return await fail(services, failed, exchange, {
        error: 'user_login_email_not_found',
        // Showing the address is safe: the provider has just authenticated its owner in this browser.
        data: { 'Email Address': email ?? '', 'Claim Name': emailClaim },
      });
  }
}

/** Records in the audit log why an external sign-in failed. */
export function noteFailure(
  { audit }: Needed,
  { event, reason, connection, signIn, userId, site }: FailedExternalSignIn,
  exchange: Exchange,
): void {
  audit.note(
    {
      event,
      result: 'failure',
      reason,
      userId,
      site,
      clientId: signIn?.clientId,
      connection: connection?.name,
    },
    exchange,
  );
}

/** The URL of the error page without an error record, for network addresses that have caused too many records. */
export function plainErrorPage(signIn?: SignIn): string {
  return withReturnAddress(paths.error, signIn);
}

/** Adds the return address of the sign-in, for the page's "start again" link. */
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
