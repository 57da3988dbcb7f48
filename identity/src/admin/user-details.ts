import { exportUserData } from '../account/export-user-data.ts';
import { findBounce, recordBounce } from '../messages/mail-bounces.ts';
import type { Database } from '../store/schema.ts';
import type { Attempt } from './attempts.ts';
import { runInTransaction } from './context.ts';
import type { AdminContext } from './context.ts';
import { explainUser } from './explain-user.ts';
import type { Story } from './explain-user.ts';
import { memberships } from './memberships.ts';
import type { Verdict } from './obstacles.ts';
import { recordChange, recordOperation } from './operator-events.ts';
import { RefusedError } from './problems.ts';
import { remedies } from './remedies.ts';
import { listSessions } from './sessions.ts';
import { readFactors } from './user-page.ts';
import { requireUserFor, users } from './users.ts';
import type { PresentUser, UserReference } from './users.ts';

const attemptsShown = 10;

/** Describes a user for support staff: why the user cannot sign in, factors, memberships, sessions and the latest attempts. */
export async function describeUser(
  context: AdminContext,
  userName: string,
): Promise<Record<string, unknown>> {
  const { database } = context;
  const user = await users.require(database, { userName });
  const { entry } = user;
  const { verdict, obstacles, invitation, attempts, unknown } = await explainUser(context, user.id);
  const bounce = await findBounce(database, user.id);
  const sessions = await listSessions(context, { user: { id: user.id } });
  return {
    ...entry,
    createdAt: user.createdAt.toISOString(),
    status: [
      entry.disabled ? 'disabled' : 'active',
      ...(invitation ? [describeInvitation(invitation)] : []),
      ...(bounce ? [`mail bounced on ${bounce.at.toISOString()} (${bounce.status})`] : []),
    ],
    signIn: [
      ...(obstacles.length === 0 ? [verdict] : obstacles).map((one) => describeVerdict(one, entry.userName)),
      ...(unknown === undefined ? [] : [unknown]),
    ],
    factors: await listFactors(database, user),
    memberships: await collect(memberships.list(context, { user: entry.userName })).then((all) =>
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
    lastAttempts: attempts.slice(0, attemptsShown).map(describeAttempt),
  };
}

function describeInvitation({
  state,
  sentAt,
  expiresAt,
  acceptedAt,
}: NonNullable<Story['invitation']>): string {
  if (state === 'accepted') return `invited ${sentAt}, accepted ${acceptedAt ?? ''}`;
  return state === 'pending' ? `invited, until ${expiresAt}` : `invited ${sentAt}, expired ${expiresAt}`;
}

/** A verdict as a line of text. */
function describeVerdict({ sentence, since, until, remedies: all }: Verdict, userName: string): string {
  const times = [
    since === undefined ? '' : ` Since ${since}.`,
    until === undefined ? '' : ` Until ${until}.`,
  ];
  const commands = all.map(({ name, target = '' }) => remedies[name].command(quote(userName), quote(target)));
  const help =
    commands.length === 0
      ? ''
      : ` What helps: ${commands.map((one) => `npx anteroom ${one}`).join('; or ')}.`;
  return `${sentence}${times.join('')}${help}`;
}

/** Quotes a name for a shell, if it needs quotes. */
const quote = (name: string): string =>
  /^[\w@.+:-]*$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;

async function listFactors(database: Database, user: PresentUser): Promise<string[]> {
  const { password, phoneNumber, app, passkeys, companies, rememberedComputers } = await readFactors(
    database,
    user,
  );
  const origin = password?.imported ? `as ${password.imported}, imported` : 'set';
  const mustChange = password?.mustChange === true ? ', must be changed' : '';
  return [
    ...(password ? [`password, ${origin} ${password.changedAt}${mustChange}`] : []),
    ...(phoneNumber === null ? [] : [`codes by SMS to ${phoneNumber}`]),
    ...(app ? [`an authenticator app, set up ${app.setUpAt}`] : []),
    ...passkeys.map(
      ({ name, createdAt, lastUsedAt }) =>
        `a passkey, ${name}, created ${createdAt}, last used ${lastUsedAt ?? 'never'}`,
    ),
    ...companies.map(({ connection, lastUsedAt }) => `connection ${connection}, last used ${lastUsedAt}`),
    ...rememberedComputers.map((until) => `a computer that skips the code until ${until}`),
  ];
}

function describeAttempt({ at, event, result, reason, site, address }: Attempt): string {
  const where = `${site === null ? '' : ` at ${site}`}${address === null ? '' : ` from ${address}`}`;
  return `${at} ${event} ${result}${reason === null ? '' : `: ${reason}`}${where}`;
}

/** The user's own data for an access request (GDPR, article 15): the same as the download on the account page. */
export async function exportUser(
  context: AdminContext,
  user: UserReference,
): Promise<Record<string, unknown>> {
  const { database } = context;
  const { id } = await requireUserFor(context, 'users:remove', user);
  const exported = await exportUserData(database, id);
  await recordChange(context, database, { userId: id }, { resource: 'users', action: 'export' });
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
    const userId = await recordBounce(transaction, { address, status }, context.clock.now());
    if (userId === undefined) throw new RefusedError('no user has this e-mail');
    await recordOperation(context, transaction, [{ event: 'mail.bounce', reason: status, userId }]);
  });
}
