import { sql } from 'kysely';
import { signInNameKey } from '../lib/names.ts';
import type { Services } from '../services.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { demoCompany, demoPassword, demoUsers, demoSites, displayed } from './demo-data.ts';
import type { DemoUser, DemoToDos } from './demo-data.ts';
import { demoUserId, seedRegions } from './seed-regions.ts';

const lockName = 'anteroom demo data';

type Needed = Pick<Services, 'config' | 'database' | 'clock' | 'random' | 'passwords'>;

/**
 * Creates the missing demo sites, users and the demo application. Changes made during a trial (such as a new password)
 * survive a restart. The application's addresses are updated to the portal's current address.
 */
export async function seedDemoData(services: Needed): Promise<void> {
  const { config, database } = services;
  if (config.production) throw new Error('Demo data must not reach production');
  await database.transaction().execute(async (transaction) => {
    // If several nodes start on a new database, one node creates the data and the other nodes find it.
    await sql`select pg_advisory_xact_lock(hashtext(${lockName}))`.execute(transaction);
    const missing = await findMissingUsers(transaction);
    const passwordHash = missing.length === 0 ? '' : await services.passwords.hash(demoPassword);
    const siteIds = await seedSites(transaction, services);
    for (const user of missing) await seedUser(transaction, services, user, siteIds, passwordHash);
    await seedPortal(transaction, services);
    await seedRegions(transaction, services);
    await seedCompany(transaction, services);
  });
}

async function findMissingUsers(database: DatabaseTransaction): Promise<DemoUser[]> {
  const keys = demoUsers.map(({ email }) => signInNameKey(email));
  const rows = await database
    .selectFrom('sign_in_names')
    .select('name_key')
    .where('name_key', 'in', keys)
    .execute();
  const known = new Set(rows.map((row) => row.name_key));
  return demoUsers.filter(({ email }) => !known.has(signInNameKey(email)));
}

async function seedSites(
  transaction: DatabaseTransaction,
  { clock, random }: Needed,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  // Parents come before their children in the list.
  for (const site of demoSites) {
    const row = await transaction
      .insertInto('sites')
      .values({
        id: random.token(16),
        name: site.name,
        ...displayed(site),
        parent_id: site.parent === undefined ? null : ids.get(site.parent),
        sequence: site.sequence,
        second_factor_required: site.secondFactorRequired ?? false,
        allow_password_entry: site.allowPasswordEntry ?? true,
        created_at: clock.now(),
      })
      // The update makes the statement return the id of an existing row.
      .onConflict((conflict) => conflict.column('name').doUpdateSet(displayed(site)))
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(site.name, row.id);
  }
  return ids;
}

async function seedUser(
  transaction: DatabaseTransaction,
  { clock, random, config }: Needed,
  user: DemoUser,
  siteIds: ReadonlyMap<string, string>,
  passwordHash: string,
): Promise<void> {
  const now = clock.now();
  // The same user id in every region.
  const id = config.regions === undefined ? random.token(16) : demoUserId(user.email);
  const [onlySite, ...furtherSites] = Object.keys(user.sites);
  const isOfOneSite = onlySite !== undefined && furtherSites.length === 0;
  await transaction
    .insertInto('users')
    .values({
      id,
      home_site_id: isOfOneSite ? requireId(siteIds, onlySite) : null,
      user_name: user.email,
      email: user.email,
      first_name: user.firstName,
      last_name: user.lastName,
      phone_number: user.phoneNumber,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await transaction
    .insertInto('sign_in_names')
    .values({ name_key: signInNameKey(user.email), user_id: id })
    .execute();
  if (user.hasPassword) {
    await transaction
      .insertInto('credentials')
      .values({
        user_id: id,
        password_hash: passwordHash,
        must_change: user.mustChangePassword ?? false,
        changed_at: now,
      })
      .execute();
  }
  if (user.role !== undefined) {
    await transaction
      .insertInto('roles')
      .values({
        id: random.token(16),
        user_id: id,
        role: user.role.name,
        site_id: 'of' in user.role ? requireId(siteIds, user.role.of) : null,
        created_at: now,
      })
      .execute();
  }
  await seedMemberships(transaction, user, id, siteIds, now);
}

async function seedMemberships(
  transaction: DatabaseTransaction,
  user: DemoUser,
  id: string,
  siteIds: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> {
  for (const [site, label] of Object.entries(user.sites)) {
    await transaction
      .insertInto('memberships')
      .values({
        user_id: id,
        site_id: requireId(siteIds, site),
        client_entitlement: label,
        created_at: now,
      })
      .execute();
  }
  for (const [site, toDos] of Object.entries(user.toDos ?? {})) {
    await transaction
      .insertInto('to_dos')
      .values({
        user_id: id,
        site_id: requireId(siteIds, site),
        pending_votes: toDos.pendingVotes,
        open_questionnaires: toDos.openQuestionnaires,
        minutes: toDos.minutes,
        action_items: toDos.actionItems,
        ...booksOf(toDos),
        updated_at: now,
      })
      .execute();
  }
}

/** The current and the seen version of the book for the next meeting. */
function booksOf({ book }: DemoToDos): { books?: string; seen_books?: string } {
  if (book === undefined) return {};
  const inVersion = (version: number) =>
    JSON.stringify([
      { bookId: 'next-meeting', tabVersions: [{ id: 'agenda', version }], documentVersions: [] },
    ]);
  return book === 'new' ? { books: inVersion(1) } : { books: inVersion(2), seen_books: inVersion(1) };
}

function requireId(ids: ReadonlyMap<string, string>, site: string): string {
  const id = ids.get(site);
  if (id === undefined) throw new Error(`The demo data names a site that it does not have: ${site}`);
  return id;
}

/** The demo portal: a public client, so that the sources contain no secret (every client must use PKCE). */
async function seedPortal(transaction: DatabaseTransaction, { config, clock }: Needed): Promise<void> {
  const portal = config.demoUrl;
  const row = {
    display_name: 'Boards demo',
    cancel_uri: `${portal}/cancelled`,
    home_uri: `${portal}/`,
    customizations: JSON.stringify({
      languageSelectionAndLinksDisabled: false,
      publicComputerSignInDisabled: false,
      signInCredentialsRecoveryDisabled: false,
      nestedUIEliminated: false,
    }),
    metadata: JSON.stringify({
      redirect_uris: [`${portal}/callback`],
      post_logout_redirect_uris: [`${portal}/signed-out`],
      frontchannel_logout_uri: `${portal}/front-channel-sign-out`,
      initiate_login_uri: `${portal}/initiate-sign-in`,
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      skip_splash: true,
      remember_accounts: true,
    }),
  };
  await transaction
    .insertInto('clients')
    .values({ id: 'director', ...row, created_at: clock.now() })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/**
 * Creates the connection to the demo company's provider, which the portal serves. Its employees sign in to the site
 * corp; new employees get an account at their first sign-in.
 */
async function seedCompany(
  transaction: DatabaseTransaction,
  { config, clock, random }: Needed,
): Promise<void> {
  const now = clock.now();
  const settings = {
    issuer: `${config.demoUrl}/company`,
    clientId: 'anteroom',
    signOutThere: true,
  };
  const { id } = await transaction
    .insertInto('connections')
    .values({
      id: random.token(8),
      name: demoCompany.name,
      display_name: demoCompany.displayName,
      kind: 'openid',
      settings: JSON.stringify(settings),
      provisioning: 'just_in_time',
      created_at: now,
      updated_at: now,
    })
    // Updates the settings to the portal's current address.
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ settings: JSON.stringify(settings) }))
    .returning('id')
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('connection_domains')
    .values({ domain: demoCompany.domain, connection_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await transaction
    .updateTable('sites')
    .set({ connection_id: id })
    .where('name', '=', demoCompany.site)
    .where('connection_id', 'is', null)
    .execute();
}
