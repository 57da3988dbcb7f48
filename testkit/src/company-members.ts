import { demoCompany, demoPassword } from '@anteroom/identity/demo/demo-data';
import type { OpenidSettings, SamlSettings } from '@anteroom/identity/company/connection';
import { sealSecret } from '@anteroom/identity/company/connections-store';
import type { Services } from '@anteroom/identity/services';

/** Connects a site with passwords to the demo company's sign-in. */
export async function connectSite({ database }: Services, site: string): Promise<void> {
  await database
    .updateTable('sites')
    .set((values) => ({
      connection_id: values.selectFrom('connections').select('id').where('name', '=', demoCompany.name),
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

/** Connects a site and an e-mail domain to another identity provider. Returns the connection's name. */
export async function connectCompany(
  { database, clock, random, keys }: Services,
  company: Company,
): Promise<string> {
  const { site, domain, kind, settings } = company;
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
  await database.updateTable('sites').set({ connection_id: id }).where('name', '=', site).execute();
  await database
    .updateTable('connection_domains')
    .set({ connection_id: id })
    .where('domain', '=', domain)
    .execute();
  return name;
}

/** Sets whether a member can enter a site. */
export async function setEntitlement(
  { database }: Services,
  { userName, site, isMet }: { userName: string; site: string; isMet: boolean },
): Promise<void> {
  await database
    .updateTable('memberships')
    .set({ entitlement_requirements_met: isMet })
    .where('user_id', 'in', (select) =>
      select.selectFrom('users').select('id').where('user_name', '=', userName),
    )
    .where('site_id', 'in', (select) => select.selectFrom('sites').select('id').where('name', '=', site))
    .execute();
}

/** Removes a user from a site. */
export async function removeMember(
  { database }: Services,
  { userName, site }: { userName: string; site: string },
): Promise<void> {
  await database
    .deleteFrom('memberships')
    .where('user_id', 'in', (select) =>
      select.selectFrom('users').select('id').where('user_name', '=', userName),
    )
    .where('site_id', 'in', (select) => select.selectFrom('sites').select('id').where('name', '=', site))
    .execute();
}

/** Adds a user of the company as a member of a site with passwords, with the demo password. */
export async function admit(
  { database, clock, passwords }: Services,
  userName: string,
  site: string,
): Promise<void> {
  const user = await database
    .selectFrom('users')
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
    .values({ user_id: user.id, site_id: place.id, created_at: now })
    .execute();
  const hash = await passwords.hash(demoPassword);
  await database
    .insertInto('credentials')
    .values({ user_id: user.id, password_hash: hash, changed_at: now })
    .execute();
}
