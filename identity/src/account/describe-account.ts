import type { AccountCallAnswer } from '@anteroom/contract/account';
import type { Client } from '../openid/clients-store.ts';
import { listPasskeys } from '../passkeys/passkeys-store.ts';
import { phoneNumberSuffix } from '../second-factor/phone-number.ts';
import { isUnexpired } from '../sessions/create-sessions.ts';
import type { SignedInSession } from '../sessions/session.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { listSitesOf } from '../sites/site-memberships-store.ts';
import { hasUsedOwnFactor, mayAddCodeFactor } from './factor-rules.ts';
import type { Account } from './require-account.ts';

type Needed = Pick<SignInServices, 'database' | 'clock' | 'config' | 'passkeys' | 'secondFactor'>;
type Answer = AccountCallAnswer<'getAccount'>;

/** @param client the application that the page links back to */
export async function describeAccount(
  services: Needed,
  { person, session }: Account,
  client: Client | undefined,
): Promise<Answer> {
  const { database, clock } = services;
  const { id: personId, userName, firstName, lastName, email } = person;
  const [sites, passkeys, password, companies, sessions, computers, app, mayAdd] = await Promise.all([
    listSitesOf(database, personId),
    services.passkeys && listPasskeys(database, personId),
    database
      .selectFrom('credentials')
      .select('changed_at')
      .where('person_id', '=', personId)
      .executeTakeFirst(),
    database
      .selectFrom('external_identities')
      .innerJoin('connections', 'connections.id', 'external_identities.connection_id')
      .select(['connections.display_name', 'last_used_at'])
      .where('person_id', '=', personId)
      .orderBy('last_used_at', 'desc')
      .execute(),
    listSessions(services, session),
    database
      .selectFrom('remembered_devices')
      .select((select) => select.fn.countAll<string>().as('count'))
      .where('person_id', '=', personId)
      .where('expires_at', '>', clock.now())
      .executeTakeFirstOrThrow(),
    services.secondFactor.apps.describe(personId),
    mayAddCodeFactor(database, { person, session }),
  ]);
  return {
    userName,
    name: `${firstName} ${lastName}`.trim(),
    email,
    sites: sites.map(({ displayName }) => displayName),
    password: password && { changedAt: password.changed_at.toISOString() },
    passkeys: passkeys?.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString(),
    })),
    mayAddPasskey: passkeys && hasUsedOwnFactor(session),
    companies: companies.map((row) => ({
      displayName: row.display_name,
      lastUsedAt: row.last_used_at.toISOString(),
    })),
    sessions,
    rememberedComputers: Number(computers.count),
    authenticatorApp: app && { ...app, setUpAt: app.setUpAt.toISOString() },
    phoneNumber:
      person.phoneNumber === undefined ? undefined : { suffix: phoneNumberSuffix(person.phoneNumber) },
    mayAddCodeFactor: mayAdd,
    hasActivity: true,
    backUri: client?.homeUri,
    branding: client?.branding,
  };
}

async function listSessions(
  { database, clock, config }: Needed,
  present: SignedInSession,
): Promise<Answer['sessions']> {
  const rows = await database
    .selectFrom('sessions')
    .leftJoin('sites', 'sites.name', 'sessions.auth_site')
    .select(['id_hash', 'browser', 'display_name', 'authenticated_at', 'last_seen_at', 'sessions.created_at'])
    .where('person_id', '=', present.personId)
    .where('security_version', '=', present.securityVersion)
    .where('ended_at', 'is', null)
    .where(isUnexpired(clock.now(), config.sessions))
    .orderBy((order) => order('id_hash', '=', present.idHash), 'desc')
    .orderBy('last_seen_at', 'desc')
    .limit(100)
    .execute();
  return rows.map((row) => ({
    id: row.id_hash,
    isPresent: row.id_hash === present.idHash,
    browser: row.browser,
    site: row.display_name,
    signedInAt: (row.authenticated_at ?? row.created_at).toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
  }));
}
