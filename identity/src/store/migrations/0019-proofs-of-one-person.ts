import { sql } from 'kysely';
import type { Kysely } from 'kysely';

// Keeps the previous release's columns of `sign_ins` and the proofs in step while nodes of both releases run: each
// version can read what the other writes. A change of the user empties both, so that a node of the previous release
// cannot carry a proof over to another user.
const keepPreviousReleaseInStep = `
create function sign_ins_keep_in_step() returns trigger language plpgsql as $$
declare
  is_same_person boolean := new.person_id is not distinct from old.person_id;
begin
  if new.proofs is distinct from old.proofs then
    new.password_at := (new.proofs -> 'password' ->> 'at')::timestamptz;
    new.external_at := (new.proofs -> 'company' ->> 'at')::timestamptz;
    new.connection_id := new.proofs -> 'company' ->> 'connectionId';
    new.second_factor_at := (new.proofs -> 'sms-code' ->> 'at')::timestamptz;
    new.password_changed_at := (new.proofs -> 'password-change' ->> 'at')::timestamptz;
    new.site_chosen_at := (new.proofs -> 'site-choice' ->> 'at')::timestamptz;
    new.site_id := (select value ->> 'siteId' from jsonb_each(new.proofs)
      where value ? 'siteId' order by value ->> 'at' desc limit 1);
    return new;
  end if;

  if not is_same_person then
    if new.password_at is not distinct from old.password_at then new.password_at := null; end if;
    if new.external_at is not distinct from old.external_at then
      new.external_at := null;
      new.connection_id := null;
    end if;
    if new.second_factor_at is not distinct from old.second_factor_at then new.second_factor_at := null; end if;
    if new.password_changed_at is not distinct from old.password_changed_at then new.password_changed_at := null; end if;
    if new.site_chosen_at is not distinct from old.site_chosen_at then new.site_chosen_at := null; end if;
    if new.site_id is not distinct from old.site_id then new.site_id := null; end if;
  end if;
  new.proofs := (
    select coalesce(jsonb_object_agg(written.kind, case
        when written.at is not distinct from written.before then old.proofs -> written.kind
        else jsonb_strip_nulls(jsonb_build_object(
          'personId', new.person_id,
          'securityVersion', people.security_version,
          'at', to_char(written.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'siteId', case when written.kind in ('password', 'company', 'site-choice') then new.site_id end,
          'connectionId', case when written.kind = 'company' then new.connection_id end))
      end), '{}')
    from people, (values
      ('password', new.password_at, old.password_at),
      ('company', new.external_at, old.external_at),
      ('sms-code', new.second_factor_at, old.second_factor_at),
      ('password-change', new.password_changed_at, old.password_changed_at),
      ('site-choice', new.site_chosen_at, old.site_chosen_at)) written (kind, at, before)
    where people.id = new.person_id
      and written.at is not null
      -- that release does not record whose code it was; the session that it starts does
      and (written.kind <> 'sms-code' or written.at is not distinct from written.before)
      and (written.at is distinct from written.before or old.proofs ? written.kind));
  new.advanced_at := greatest(new.password_at, new.external_at, new.second_factor_at,
    new.password_changed_at, new.site_chosen_at);
  return new;
end $$`;

const statements = [
  'alter table people add column security_version integer not null default 0',
  `alter table sessions
    add column security_version integer,
    add column provider_session_uid text`,
  'update sessions set security_version = 0 where person_id is not null',
  // A node of the previous release writes no version: its session gets the account's version at that moment.
  `create function sessions_take_security_version() returns trigger language plpgsql as $$
    begin
      new.security_version := (select security_version from people where id = new.person_id);
      return new;
    end $$`,
  `create trigger sessions_of_previous_release before insert on sessions for each row
    when (new.security_version is null and new.person_id is not null)
    execute function sessions_take_security_version()`,
  // The previous release did not store which provider session belongs to a session of the service. Only the time of the
  // sign-in connects them.
  `update sessions set provider_session_uid = (
    select records.uid from openid_records records
    where records.model = 'Session' and records.account_id = sessions.person_id
      and (records.payload ->> 'loginTs')::bigint = floor(extract(epoch from sessions.authenticated_at))
    limit 1)
  where ended_at is null and person_id is not null`,
  `alter table sign_ins
    add column proofs jsonb not null default '{}',
    add column advanced_at timestamptz`,
  keepPreviousReleaseInStep,
  `create trigger sign_ins_in_step
    before update of person_id, site_id, password_at, external_at, connection_id, second_factor_at,
      password_changed_at, site_chosen_at, proofs
    on sign_ins for each row execute function sign_ins_keep_in_step()`,
];

/** Proofs that name their user, the security version that sessions depend on, and the provider's session of each session. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
