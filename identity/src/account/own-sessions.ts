import type { AccountCallAnswer } from '@anteroom/contract/account';
import { endSessions } from '../sign-out/end-sessions.ts';
import type { SessionSelector } from '../sign-out/end-sessions.ts';
import { isUnexpired } from '../sessions/create-sessions.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import type { AccountCaller } from './required-proofs.ts';

type Needed = Pick<SignInServices, 'database' | 'clock' | 'config'>;

/** The user's active sessions that the present one shows and can end: for a company's session, those of the company. */
function selectSessions({ database, clock, config }: Needed, { user, session, limitedTo }: AccountCaller) {
  return database
    .selectFrom('sessions')
    .where('user_id', '=', user.id)
    .where('security_version', '=', session.securityVersion)
    .where('ended_at', 'is', null)
    .where(isUnexpired(clock.now(), config.sessions))
    .$if(limitedTo !== undefined, (query) =>
      query.where((where) =>
        where.or([
          where('id_hash', '=', session.idHash),
          where('sessions.connection_id', '=', limitedTo ?? ''),
        ]),
      ),
    );
}

export async function listOwnSessions(
  services: Needed,
  caller: AccountCaller,
): Promise<AccountCallAnswer<'getAccount'>['sessions']> {
  const { idHash } = caller.session;
  const rows = await selectSessions(services, caller)
    .leftJoin('sites', 'sites.name', 'sessions.auth_site')
    .select(['id_hash', 'browser', 'display_name', 'authenticated_at', 'last_seen_at', 'sessions.created_at'])
    .orderBy((order) => order('id_hash', '=', idHash), 'desc')
    .orderBy('last_seen_at', 'desc')
    .limit(100)
    .execute();
  return rows.map((row) => ({
    id: row.id_hash,
    isPresent: row.id_hash === idHash,
    browser: row.browser,
    site: row.display_name,
    signedInAt: (row.authenticated_at ?? row.created_at).toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
  }));
}

/** Ends a session of the user in another browser. Does nothing if there is no such session. */
export async function endOwnSession(
  services: SignInServices,
  caller: AccountCaller,
  idHash: string,
): Promise<undefined> {
  const found = await selectSessions(services, caller)
    .select('id_hash')
    .where('id_hash', '=', idHash)
    .where('browser_id', '!=', caller.session.browserId)
    .executeTakeFirst();
  if (found !== undefined) await end(services, caller, { idHashes: [idHash] });
}

/**
 * Ends every other session of the user, and revokes the tokens of applications, including refresh tokens; from a
 * company's session, only the other sessions of the company.
 */
export async function endOtherSessions(services: SignInServices, caller: AccountCaller): Promise<undefined> {
  const { user, session, limitedTo } = caller;
  if (limitedTo === undefined)
    return await end(services, caller, { userId: user.id, keptSessionIdHash: session.idHash });
  const others = await selectSessions(services, caller)
    .select('id_hash')
    .where('id_hash', '!=', session.idHash)
    .execute();
  return await end(services, caller, { idHashes: others.map(({ id_hash: idHash }) => idHash) });
}

async function end(
  { database, clock, provider, audit }: SignInServices,
  { exchange }: AccountCaller,
  selector: SessionSelector,
): Promise<undefined> {
  const ended = await database
    .transaction()
    .execute((transaction) => endSessions(transaction, selector, clock.now()));
  provider.notifyApplications();
  const reason = 'the user ended it on the account page';
  for (const { idHash: sessionHash, userId, site } of ended)
    audit.note({ event: 'session.end', result: 'success', reason, userId, sessionHash, site }, exchange);
}
