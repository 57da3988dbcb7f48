import { exportUserData } from '../account/export-user-data.ts';
import { recordBounce } from '../messages/mail-bounces.ts';
import type { Attempt } from './attempts.ts';
import { runInTransaction } from './admin-context.ts';
import type { AdminContext } from './admin-context.ts';
import { explainUser } from './explain-user.ts';
import type { Story } from './explain-user.ts';
import type { Verdict } from './obstacles.ts';
import { recordChange, recordOperation } from './operator-events.ts';
import { RefusedError } from './problems.ts';
import { remedies } from './remedies.ts';
import { describeUserPage } from './user-page.ts';
import type { UserFactors } from './user-page.ts';
import { requireUserFor, users } from './users.ts';
import type { UserReference } from './users.ts';

const attemptsShown = 10;

/** Describes a user for support staff: why the user cannot sign in, factors, memberships, sessions and the latest attempts. */
export async function describeUser(
  context: AdminContext,
  userName: string,
): Promise<Record<string, unknown>> {
  const { id, entry } = await users.require(context.database, { userName });
  const { verdict, obstacles, invitation, attempts, unknown } = await explainUser(context, id);
  const { createdAt, bounce, factors, memberships, sessions } = await describeUserPage(context, id);
  return {
    ...entry,
    createdAt,
    status: [
      entry.disabled ? 'disabled' : 'active',
      ...(invitation ? [describeInvitation(invitation)] : []),
      ...(bounce ? [`mail bounced on ${bounce.at} (${bounce.status})`] : []),
    ],
    signIn: [
      ...(obstacles.length === 0 ? [verdict] : obstacles).map((one) => describeVerdict(one, entry.userName)),
      ...(unknown === undefined ? [] : [unknown]),
    ],
    factors: factors && listFactors(factors),
    memberships: memberships.map(({ site, label, mayEnter }) =>
      [site, label, mayEnter ? null : '(cannot be entered)'].filter((part) => part !== null).join(' '),
    ),
    sessions: sessions?.map(
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

function listFactors(factors: UserFactors): string[] {
  const { password, phoneNumber, app, passkeys, companies, rememberedComputers } = factors;
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
    ...rememberedComputers.map((until) => `a device that skips the code until ${until}`),
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
