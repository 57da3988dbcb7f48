import { auditEvents } from '../audit/audit.ts';
import type { AuditEventName } from '../audit/audit.ts';
import { addSeconds } from '../lib/clock.ts';
import type { Database } from '../store/schema.ts';
import { findLatestEvents } from './audit.ts';
import type { EventFilters, PresentEvent } from './audit.ts';
import type { AdminContext } from './admin-context.ts';

/** What a user, or the service on the way to a sign-in, did, with the reason of a failure in plain words. */
export type Attempt = Pick<PresentEvent, 'site' | 'address' | 'connection'> & {
  at: string;
  event: AuditEventName;
  result: 'success' | 'failure';
  reason: string | null;
  correlationId: string;
};

/** Events of sign-in, recovery and password changes. */
const attemptEvents = [
  'password.check',
  'passkey.check',
  'second-factor.send',
  'second-factor.check',
  'external.prove',
  'external.link',
  'site.choose',
  'sign-in.finish',
  'password.change',
  'recovery.password-link',
  'recovery.new-password',
] as const satisfies readonly AuditEventName[];

const companyEvents = ['external.begin', 'external.prove', 'external.link'] as const;

/** What support staff might not understand in the audit log. */
const plainWords: Readonly<Record<string, string>> = {
  'disabled user': 'the account is disabled',
  'unknown user': 'there was no such user',
  'not a member of the site': 'the user is not a member of the site, or the site is disabled or unknown',
  'the site has no passwords': 'the site signs its users in at their organisation',
  'too many failures of the account': 'refused without checking after too many failures of the account',
  'too many failures of the address': 'refused without checking after too many failures from the address',
  'the code is wrong': 'a wrong code',
  'the code is last-wrong': 'a wrong code, which was the last one allowed',
  'the code is exhausted': 'too many wrong codes',
  'the code is expired': 'the code had expired',
  'the code is used': 'the code was used before',
  'the code is absent': 'no code was sent',
  'not yet': 'no code was sent, because the last one was sent a moment ago',
  'budget used up': 'no code was sent, because the budget of code messages is used up',
  'not delivered': 'the gateway did not deliver the code',
};

/** The reasons for refusing SAML messages are names such as `signature_invalid`. */
const toPlainWords = (reason: string): string => plainWords[reason] ?? reason.replaceAll('_', ' ');

function toAttempt({
  at,
  event,
  result,
  reason,
  site,
  address,
  connection,
  correlationId,
}: PresentEvent): Attempt {
  return {
    at,
    event: event as AuditEventName,
    result,
    reason: reason === null ? null : toPlainWords(reason),
    site,
    address,
    connection,
    correlationId,
  };
}

const attemptsShown = 20;

/** The latest attempts of a user, latest first; with `sites`, only those at these sites. */
export async function listAttempts(
  database: Database,
  filters: Pick<EventFilters, 'userId' | 'sites'>,
): Promise<Attempt[]> {
  const events = await findLatestEvents(database, { ...filters, events: attemptEvents }, attemptsShown);
  return events.toReversed().map(toAttempt);
}

const eventsOfAttempt = 200;

/**
 * Everything that the nodes recorded under a correlation id, which the error page shows and a browser keeps. With
 * `sites` and `userId`, only events of this user at these sites, without addresses.
 */
export async function findAttempt(
  database: Database,
  filters: { correlationId: string; sites?: readonly string[]; userId?: string },
): Promise<Attempt[]> {
  const events = (await findLatestEvents(database, filters, eventsOfAttempt)).map(toAttempt);
  return filters.sites === undefined ? events : events.map((event) => ({ ...event, address: null }));
}

const anonymousHours = 24;

/**
 * The latest refusal of a connection among the attempts of a user, or one of the last day that came before any user was
 * known, such as an invalid signature.
 */
export async function findRefusal(
  { database, clock }: Pick<AdminContext, 'database' | 'clock'>,
  connection: string,
  attempts: readonly Attempt[],
): Promise<Attempt | undefined> {
  const own = attempts.find((one) => one.connection === connection && one.result === 'failure');
  const since = addSeconds(clock.now(), -anonymousHours * 60 * 60);
  const filters = { connection, since, result: 'failure', events: companyEvents } as const;
  const anonymous = (await findLatestEvents(database, filters, attemptsShown)).findLast(
    ({ user }) => user === null,
  );
  const latest = anonymous && toAttempt(anonymous);
  return own !== undefined && (latest === undefined || own.at > latest.at) ? own : latest;
}

/** What happened, from the list of audit events. */
export const describeEvent = ({ event }: Attempt): string => auditEvents[event].when;
