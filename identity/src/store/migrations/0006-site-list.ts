import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  'alter table people add column recent_sites_first boolean not null default false',
  // beside the membership, so that it ends with it: nobody is told of a site that was theirs once
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

/** What the list of sites knows of a person: which sites were chosen last, and what each application calls their part in a site. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
