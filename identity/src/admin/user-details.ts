import { exportUserData } from '../account/export-user-data.ts';
import { ConfigError } from '../config.ts';
import { MissingKeyError } from '../keys/keys-in-use.ts';
import { findBounce, recordBounce } from '../messages/mail-bounces.ts';
import { listPasskeys } from '../passkeys/passkeys-store.ts';
import { kindOf } from '../passwords/hash-work.ts';
import type { Database } from '../store/schema.ts';
import { findLatestEvents } from './audit.ts';
import type { PresentEvent } from './audit.ts';
import { runInTransaction } from './context.ts';
import type { AdminContext } from './context.ts';
import { listLockouts } from './lockouts.ts';
import { memberships } from './memberships.ts';
import { recordChange, recordOperation } from './operator-events.ts';
import { RefusedError } from './problems.ts';
import { listSessions } from './sessions.ts';
import { users } from './users.ts';
import type { PresentUser } from './users.ts';

/** Events of sign-in, recovery and password changes. */
const attemptEvents = [
  'password.check',
  'second-factor.send',
  'second-factor.check',
  'external.prove',
  'sign-in.finish',
  'password.change',
  'recovery.password-link',
  'recovery.new-password',
] as const;
const attemptsShown = 10;

/** Explanations for audit reasons that support staff might not understand, with the command that helps. */
const explanations: Readonly<Record<string, string>> = {
  'disabled person': 'the account is disabled',
  'unknown person': 'there was no such user',
  'the site has no passwords': 'the site signs its users in at their organisation',
  'too many failures of the account':
    'refused without checking after too many failures (`lockouts clear --user`)',
  'too many failures of the address':
    'refused without checking after too many failures from the address (`lockouts clear --address`)',
  'the code is wrong': 'a wrong code',
  'the code is last-wrong': 'a wrong code, which was the last one allowed',
  'the code is exhausted': 'too many wrong codes',
  'the code is expired': 'the code had expired',
  'the code is used': 'the code was used before',
  'the code is absent': 'no code was sent',
};

/** Describes a user for support staff: status, factors, memberships, sessions and the latest attempts. */
export async function describeUser(
  context: AdminContext,
  userName: string,
): Promise<Record<string, unknown>> {
  const { database } = context;
  const user = await users.require(database, { userName });
  const { entry } = user;
  const events = await findLatestEvents(
    database,
    { personId: user.id, events: attemptEvents },
    attemptsShown,
  );
  const sessions = await listSessions(context, { user: entry.userName });
  const bounce = await findBounce(database, user.id);
  return {
    ...entry,
    createdAt: user.createdAt.toISOString(),
    status: [
      ...(await describeStatus(context, user)),
      ...(await findInvitation(database, user)),
      ...(bounce ? [`mail bounced on ${bounce.at.toISOString()} (${bounce.status})`] : []),
    ],
    factors: await listFactors(database, user),
    memberships: await collect(memberships.list(database, { person: entry.userName })).then((all) =>
      all.map(({ site, clientEntitlement, entitlementRequirementsMet }) =>
        [site, clientEntitlement, entitlementRequirementsMet === true ? undefined : '(cannot be entered)']
          .filter((part) => typeof part === 'string')
          .join(' '),
      ),
    ),
    sessions: sessions.map(
      ({ session, site, methods, signedInAt }) =>
        `${session} at ${site ?? 'no site'} by ${methods ?? ''} since ${signedInAt ?? ''}`,
    ),
    lastAttempts: events.toReversed().map(describeAttempt),
  };
}

async function describeStatus(context: AdminContext, { entry }: PresentUser): Promise<string[]> {
  const status = entry.disabled ? 'disabled' : 'active';
  try {
    const lockouts = await listLockouts(context, { user: entry.userName });
    return [status, ...lockouts.map(({ what, count, until }) => `refused until ${until}: ${count} ${what}`)];
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof MissingKeyError)) throw error;
    return [status, 'lockouts are unknown: this command does not have the SECRETS of the service'];
  }
}

async function findInvitation(database: Database, { id }: PresentUser): Promise<string[]> {
  const invitation = await database
    .selectFrom('invitations')
    .innerJoin('credentials', 'credentials.person_id', 'invitations.person_id')
    .select('expires_at')
    .where('invitations.person_id', '=', id)
    // The two times differ once the user has chosen a password.
    .whereRef('credentials.changed_at', '=', 'password_changed_at')
    .executeTakeFirst();
  return invitation ? [`invited, until ${invitation.expires_at.toISOString()}`] : [];
}

async function listFactors(database: Database, { id, entry, importedHash }: PresentUser): Promise<string[]> {
  const credentials = await database
    .selectFrom('credentials')
    .select(['must_change', 'changed_at'])
    .where('person_id', '=', id)
    .executeTakeFirst();
  const companies = await database
    .selectFrom('external_identities')
    .innerJoin('connections', 'connections.id', 'external_identities.connection_id')
    .select(['connections.name', 'last_used_at'])
    .where('person_id', '=', id)
    .execute();
  const devices = await database
    .selectFrom('remembered_devices')
    .select('expires_at')
    .where('person_id', '=', id)
    .execute();
  const app = await database
    .selectFrom('authenticator_apps')
    .select('created_at')
    .where('person_id', '=', id)
    .executeTakeFirst();
  const passkeys = await listPasskeys(database, id);
  const origin = importedHash === undefined ? 'set' : `as ${kindOf(importedHash)}, imported`;
  const mustChange = credentials?.must_change === true ? ', must be changed' : '';
  return [
    ...(credentials ? [`password, ${origin} ${credentials.changed_at.toISOString()}${mustChange}`] : []),
    ...(entry.phoneNumber === null ? [] : [`codes by SMS to ${entry.phoneNumber}`]),
    ...(app ? [`an authenticator app, set up ${app.created_at.toISOString()}`] : []),
    ...passkeys.map(
      ({ name, createdAt, lastUsedAt }) =>
        `a passkey, ${name}, created ${createdAt.toISOString()}, last used ${lastUsedAt?.toISOString() ?? 'never'}`,
    ),
    ...companies.map((row) => `connection ${row.name}, last used ${row.last_used_at.toISOString()}`),
    ...devices.map((row) => `a computer that skips the code until ${row.expires_at.toISOString()}`),
  ];
}

function describeAttempt({ at, event, result, reason, site, address }: PresentEvent): string {
  const why = reason === null ? '' : `: ${explanations[reason] ?? reason}`;
  const where = `${site === null ? '' : ` at ${site}`}${address === null ? '' : ` from ${address}`}`;
  return `${at} ${event} ${result}${why}${where}`;
}

/** The user's own data for an access request (GDPR, article 15): the same as the download on the account page. */
export async function exportUser(context: AdminContext, userName: string): Promise<Record<string, unknown>> {
  const { database } = context;
  const { id } = await users.require(database, { userName });
  const exported = await exportUserData(database, id);
  await recordChange(context, database, { personId: id }, { resource: 'users', action: 'export' });
  return exported;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/**
 * Records a bounce that the operator's mail system reported after the mail was sent.
 * @throws RefusedError when no user has the address
 */
export async function reportBounce(context: AdminContext, address: string, status: string): Promise<void> {
  await runInTransaction(context, async (transaction) => {
    const personId = await recordBounce(transaction, { address, status }, context.clock.now());
    if (personId === undefined) throw new RefusedError('no user has this e-mail');
    await recordOperation(context, transaction, [{ event: 'mail.bounce', reason: status, personId }]);
  });
}
