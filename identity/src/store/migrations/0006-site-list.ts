import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  'alter table people add column recent_sites_first boolean not null default false',
  // part of the membership, so that it is deleted with it
  'alter table memberships add column chosen_at timestamptz',
  `create table client_entitlements (
    person_id text not null,
    site_id text not null,
    client_id text not null references clients (id) on delete cascade,
    label text not null,
    primary key (person_id, client_id, site_id),
    foreign key (person_id, site_id) references memberships (person_id, site_id) on delete cascade
  )`,
  'create index client_entitlements_by_client on client_entitlements (client_id)',
];

/** The user's data in the list of sites: recently selected sites, and each application's role labels. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
