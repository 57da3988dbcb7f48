import { secureRandom } from '../lib/random.ts';
import { findInvitations } from './invitations.ts';
import { permit } from './actor.ts';
import { countPeople } from './added-people.ts';
import { mailNewBoard } from './board-mails.ts';
import type { AdminContext } from './admin-context.ts';
import { findAccounts, memberships } from './memberships.ts';
import { sendPasswordMail } from './password-mails.ts';
import { RefusedError, collectProblems } from './problems.ts';
import { countLink } from './send-links.ts';
import { findSitesByName } from './sites.ts';
import { requireUserById, users } from './users.ts';

export type NewPerson = {
  site: string;
  email: string;
  firstName: string;
  lastName: string;
  label: string | null;
};

/** `welcome`: the person had an account, and is told that it can enter the site. */
export type AddedPerson = {
  userId: string | null;
  name: string;
  isNew: boolean;
  mail: 'invitation' | 'welcome' | null;
};

/**
 * Adds a person to a site by e-mail. It looks the same whether the person has an account already: a new one is invited,
 * an existing one keeps its name. A dry run checks the values alone and does not tell whether there is an account.
 */
export async function addPerson(
  context: AdminContext,
  { site: siteName, email, firstName, lastName, label }: NewPerson,
  { dryRun }: { dryRun: boolean },
): Promise<AddedPerson> {
  const scope = permit(context, 'members:write');
  const { database } = context;
  const site = (await findSitesByName(database, [siteName], scope)).get(siteName);
  if (site === undefined) throw new RefusedError(`there is no site ${siteName}`, { kind: 'missing' });
  const given = { userName: email, email, firstName, lastName, homeSite: site.row.name };
  const parsed = users.parse(given);
  const member = memberships.parse({ userName: email, site: site.row.name, clientEntitlement: label });
  if ('problems' in parsed || 'problems' in member) {
    const problems = [parsed, member].flatMap((one) => ('problems' in one ? one.problems : []));
    // The user name is the e-mail, which a form has once.
    const byColumn = new Map(
      problems.map(({ column = '', ...problem }) => {
        const name = columnOfForm[column] ?? column;
        return [name, { ...problem, column: name }];
      }),
    );
    throw new RefusedError([...byColumn.values()]);
  }
  const name = `${firstName} ${lastName}`.trim();
  if (dryRun) return { userId: null, name, isNew: true, mail: null };
  if (scope !== 'all') await countPeople(context, 1);

  const known = (await findAccounts(database, [email]))(email);
  if (known?.isSureName === false)
    throw new RefusedError([
      { column: 'email', reason: 'is the user name of another account', code: 'taken', kind: 'conflict' },
    ]);
  if (known !== undefined) await countLink(context, known.id);
  const userId = known?.id ?? secureRandom.token(16);
  // The rules above decide about adding a person; the account and the membership are only written here.
  const trusted = { ...context, operation: { ...context.operation, actor: trust(context) } };
  if (known === undefined) await addOne(trusted, users, { ...parsed.entry, id: userId });
  const { entry } = await requireUserById(database, userId, 'all');
  await addOne(trusted, memberships, { ...member.entry, userName: userId });

  const invitation = (await findInvitations(database, [userId], context.clock.now())).get(userId);
  const isInvited = known === undefined || (invitation !== undefined && invitation.state !== 'accepted');
  if (isInvited && !entry.signsInElsewhere) {
    const sent = await sendPasswordMail(context, userId, { isInvitation: true });
    return { userId, name, isNew: known === undefined, mail: 'reason' in sent ? null : 'invitation' };
  }
  const board = { id: site.row.id, displayName: site.row.display_name };
  const isTold = entry.email !== null && !entry.disabled;
  if (isTold)
    await mailNewBoard(context, { id: userId, userName: entry.userName, email: entry.email ?? '' }, board);
  return {
    userId,
    name: `${entry.firstName} ${entry.lastName}`.trim(),
    isNew: false,
    mail: isTold ? 'welcome' : null,
  };
}

const columnOfForm: Readonly<Record<string, string>> = { userName: 'email', clientEntitlement: 'label' };

const trust = ({ operation: { actor } }: AdminContext): AdminContext['operation']['actor'] => ({
  ...actor,
  scopeOf: () => 'all',
  hasFreshProof: true,
});

async function addOne(
  context: AdminContext,
  resource: Pick<typeof users, 'save'>,
  entry: Readonly<Record<string, unknown>>,
): Promise<void> {
  const outcome = await resource.save(context, [{ line: undefined, entry }], { problems: collectProblems() });
  if (outcome.unchanged.length > 0)
    throw new RefusedError([
      { column: 'email', reason: 'is already a member of this site', code: 'exists', kind: 'conflict' },
    ]);
}
