import type { AccountCallAnswer } from '@anteroom/contract/account';
import type { Client } from '../provider/clients-store.ts';
import { factors as factorTable, listNeeded } from '../factors/factors.ts';
import { listPasskeys } from '../factors/passkeys-store.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { listSitesOf, listSitesRequiringFactor } from '../sites/site-memberships-store.ts';
import type { Database } from '../store/schema.ts';
import { listOwnSessions } from './own-sessions.ts';
import { mayAddFactor } from './required-proofs.ts';
import type { AccountCaller } from './required-proofs.ts';

type Needed = Pick<SignInServices, 'database' | 'clock' | 'config' | 'passkeys' | 'factors'>;
type Answer = AccountCallAnswer<'getAccount'>;

/** @param client the application that the page links back to */
export async function describeAccount(
  services: Needed,
  caller: AccountCaller,
  client: Client | undefined,
): Promise<Answer> {
  const { database, clock } = services;
  const { user } = caller;
  const { id: userId, userName, firstName, lastName, email } = user;
  const profile = {
    userName,
    name: `${firstName} ${lastName}`.trim(),
    email,
    backUri: client?.homeUri,
    branding: client?.branding,
  };
  const [ownSites, ownCompanies, sessions] = await Promise.all([
    listSitesOf(database, userId),
    listCompanies(database, userId),
    listOwnSessions(services, caller),
  ]);
  if (caller.limitedTo !== undefined) {
    const mayProveOwnPassword =
      user.passwordHash !== undefined && ownSites.some(({ allowPasswordEntry }) => allowPasswordEntry);
    return {
      ...profile,
      isLimited: true,
      mayProveOwnPassword,
      sites: namesOf(ownSites.filter(({ connectionId }) => connectionId === caller.limitedTo)),
      companies: ownCompanies.filter(({ connectionId }) => connectionId === caller.limitedTo).map(toCompany),
      sessions,
      rememberedComputers: 0,
    };
  }
  const [passkeys, password, computers, app, mayAddPasskey, mayAddCodeFactor, demanding] = await Promise.all([
    services.passkeys && listPasskeys(database, userId),
    database.selectFrom('credentials').select('changed_at').where('user_id', '=', userId).executeTakeFirst(),
    database
      .selectFrom('remembered_devices')
      .select((select) => select.fn.countAll<string>().as('count'))
      .where('user_id', '=', userId)
      .where('expires_at', '>', clock.now())
      .executeTakeFirstOrThrow(),
    services.factors.apps.describe(userId),
    mayAddFactor(database, caller, 'passkey', clock.now()),
    mayAddFactor(database, caller, 'totp', clock.now()),
    listSitesRequiringFactor(database, userId),
  ]);
  const suffix = factorTable.sms.hint(user);
  return {
    ...profile,
    sites: namesOf(ownSites),
    password: password && { changedAt: password.changed_at.toISOString() },
    passkeys: passkeys?.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString(),
    })),
    mayAddPasskey: passkeys && mayAddPasskey,
    companies: ownCompanies.map(toCompany),
    sessions,
    rememberedComputers: Number(computers.count),
    authenticatorApp: app && { ...app, setUpAt: app.setUpAt.toISOString() },
    phoneNumber: suffix === undefined ? undefined : { suffix },
    mayAddCodeFactor,
    neededFactors: listNeeded(user, demanding),
    hasActivity: true,
  };
}

const namesOf = (sites: readonly { displayName: string }[]): string[] =>
  sites.map(({ displayName }) => displayName);

/** The companies whose identity providers sign the user in, the last used one first. */
async function listCompanies(database: Database, userId: string) {
  return await database
    .selectFrom('external_identities')
    .innerJoin('connections', 'connections.id', 'external_identities.connection_id')
    .select([
      'connections.id as connectionId',
      'connections.display_name as displayName',
      'last_used_at as lastUsedAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .execute();
}

const toCompany = ({ displayName, lastUsedAt }: { displayName: string; lastUsedAt: Date }) => ({
  displayName,
  lastUsedAt: lastUsedAt.toISOString(),
});
