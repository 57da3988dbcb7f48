import { demoCompany, demoPassword } from '@anteroom/identity/demo/demo-data';
import type { OpenidSettings, SamlSettings } from '@anteroom/identity/enterprise/connection';
import { sealSecret } from '@anteroom/identity/enterprise/connections-store';
import type { Services } from '@anteroom/identity/services';

/** Connects a site with passwords to the demo company's sign-in, or disconnects it. */
export async function connectSite({ database }: Services, site: string, connected: boolean): Promise<void> {
  await database
    .updateTable('sites')
    .set((values) => ({
      connection_id: connected
        ? values.selectFrom('connections').select('id').where('name', '=', demoCompany.name)
        : null,
    }))
    .where('name', '=', site)
    .execute();
}

/** An identity provider, with the settings that an operator enters. */
export type Company = { site: string; domain: string } & (
  | { kind: 'saml'; settings: SamlSettings }
  | {
      kind: 'openid';
      settings: Partial<OpenidSettings> & Pick<OpenidSettings, 'issuer' | 'clientId'>;
      clientSecret: string;
    }
);

/**
 * Connects a site and an e-mail domain to another identity provider. Returns the connection's name, and a function that
 * restores the domain and the site.
 */
export async function connectCompany(
  { database, clock, random, keys }: Services,
  company: Company,
): Promise<{ name: string; restore: () => Promise<void> }> {
  const { site, domain, kind, settings } = company;
  const before = await database
    .selectFrom('sites')
    .select('connection_id')
    .where('name', '=', site)
    .executeTakeFirstOrThrow();
  const id = random.token(8);
  const name = `company-${id.toLowerCase()}`;
  await database
    .insertInto('connections')
    .values({
      id,
      name,
      display_name: 'Another company',
      kind,
      settings: JSON.stringify(settings),
      secret_sealed: company.kind === 'openid' ? sealSecret(keys, random, id, company.clientSecret) : null,
      created_at: clock.now(),
      updated_at: clock.now(),
    })
    .execute();
  const connect = async (connectionId: string | null): Promise<void> => {
    await database
      .updateTable('sites')
      .set({ connection_id: connectionId })
      .where('name', '=', site)
      .execute();
    if (connectionId === null) return;
    await database
      .updateTable('connection_domains')
      .set({ connection_id: connectionId })
      .where('domain', '=', domain)
      .execute();
  };
  await connect(id);
  return { name, restore: () => connect(before.connection_id) };
}

/** Sets whether a member can enter a site. */
export async function setEntitlement(
  { database }: Services,
  { userName, site, isMet }: { userName: string; site: string; isMet: boolean },
): Promise<void> {
  await database
    .updateTable('memberships')
    .set({ entitlement_requirements_met: isMet })
    .where('person_id', 'in', (select) =>
      select.selectFrom('people').select('id').where('user_name', '=', userName),
    )
    .where('site_id', 'in', (select) => select.selectFrom('sites').select('id').where('name', '=', site))
    .execute();
}

/** Removes a user from a site; returns a function that restores the membership. */
export async function removeMember(
  { database }: Services,
  { userName, site }: { userName: string; site: string },
): Promise<() => Promise<void>> {
  const removed = await database
    .deleteFrom('memberships')
    .where('person_id', 'in', (select) =>
      select.selectFrom('people').select('id').where('user_name', '=', userName),
    )
    .where('site_id', 'in', (select) => select.selectFrom('sites').select('id').where('name', '=', site))
    .returningAll()
    .execute();
  return async () => void (await database.insertInto('memberships').values(removed).execute());
}

/** Adds a user of the company as a member of a site with passwords, with the demo password. */
export async function admit(
  { database, clock, passwords }: Services,
  userName: string,
  site: string,
): Promise<void> {
  const person = await database
    .selectFrom('people')
    .select('id')
    .where('user_name', '=', userName)
    .executeTakeFirstOrThrow();
  const place = await database
    .selectFrom('sites')
    .select('id')
    .where('name', '=', site)
    .executeTakeFirstOrThrow();
  const now = clock.now();
  await database
    .insertInto('memberships')
    .values({ person_id: person.id, site_id: place.id, created_at: now })
    .execute();
  const hash = await passwords.hash(demoPassword);
  await database
    .insertInto('credentials')
    .values({ person_id: person.id, password_hash: hash, changed_at: now })
    .execute();
}

/**
 * Makes a site require a second factor. Its users can set up an authenticator app. Returns a function that restores the
 * site and removes the apps.
 */
export async function requireSecondFactor(
  { database }: Services,
  site: string,
): Promise<() => Promise<void>> {
  const set = (isRequired: boolean) =>
    database
      .updateTable('sites')
      .set({ second_factor_required: isRequired, authenticator_apps: isRequired })
      .where('name', '=', site)
      .execute();
  await set(true);
  return async () => {
    await set(false);
    await database.deleteFrom('authenticator_apps').execute();
    await database.deleteFrom('recovery_codes').execute();
  };
}

/** Gives a user a phone number; returns a function that removes it. */
export async function givePhone(
  { database }: Services,
  userName: string,
  phoneNumber: string,
): Promise<() => Promise<void>> {
  const set = async (value: string | null): Promise<void> =>
    void (await database
      .updateTable('people')
      .set({ phone_number: value })
      .where('user_name', '=', userName)
      .execute());
  await set(phoneNumber);
  return () => set(null);
}
