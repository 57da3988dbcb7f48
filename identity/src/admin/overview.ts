import { sql } from 'kysely';
import { findCertificateExpiries } from '../company/saml/certificates.ts';
import { addSeconds } from '../lib/clock.ts';
import { permit } from './actor.ts';
import type { AdminContext } from './admin-context.ts';
import { listLockouts } from './lockouts.ts';
import { isInvitationOpen } from './invitations.ts';
import { isMemberWithin } from './scopes.ts';

/** Something that needs a hand. `href`: where in the console. */
export type Need = {
  kind: 'certificate' | 'bounce' | 'lockout' | 'invitation-expired' | 'connection-disabled';
  text: string;
  href: string;
  at: string | null;
};

const shownOfKind = 20;
const certificateDays = 30;

/** What needs a hand, within the actor's scope. */
export async function listNeeds(context: AdminContext): Promise<Need[]> {
  permit(context, 'sites:read');
  const usersScope = permit(context, 'users:read');
  const { database, clock } = context;
  const now = clock.now();
  const found: Need[] = [];
  const add = (kind: Need['kind'], text: string, href: string, at: Date | string | null): void =>
    void found.push({ kind, text, href, at: at instanceof Date ? at.toISOString() : at });
  if (context.operation.actor.scopeOf('connections:read') === 'all') {
    const soon = addSeconds(now, certificateDays * 24 * 60 * 60);
    for (const { connection, expiresAt } of await findCertificateExpiries(database))
      if (expiresAt < soon)
        add(
          'certificate',
          `A certificate of ${connection} expires.`,
          `connections/${connection}?do=edit`,
          expiresAt,
        );
    const disabled = await database
      .selectFrom('connections')
      .select(['name', 'disabled_at'])
      .where('disabled_at', 'is not', null)
      .execute();
    for (const { name, disabled_at: at } of disabled)
      add('connection-disabled', `The connection ${name} is disabled.`, `connections/${name}?do=edit`, at);
  }
  if (usersScope === 'all')
    for (const { what, who, until } of (await listLockouts(context)).slice(0, shownOfKind))
      add('lockout', `${who}: ${what}.`, `?search=${encodeURIComponent(who)}`, until);
  const ofPeople = database
    .selectFrom('users')
    .select(['users.id', 'user_name'])
    .where('users.status', '=', 'active')
    .where(isMemberWithin(usersScope))
    .limit(shownOfKind);
  const bounced = await ofPeople
    .innerJoin('mail_bounces', 'mail_bounces.user_id', 'users.id')
    .select('bounced_at')
    .where(sql<boolean>`mail_bounces.address = users.email`)
    .orderBy('bounced_at', 'desc')
    .execute();
  for (const row of bounced)
    add('bounce', `Mail to ${row.user_name} was returned.`, `users/${row.id}`, row.bounced_at);
  const expired = await ofPeople
    .innerJoin('invitations', 'invitations.user_id', 'users.id')
    .select('invitations.expires_at')
    .where('invitations.expires_at', '<=', now)
    .where(isInvitationOpen)
    .orderBy('invitations.expires_at', 'desc')
    .execute();
  for (const row of expired)
    add(
      'invitation-expired',
      `The invitation of ${row.user_name} has expired.`,
      `users/${row.id}`,
      row.expires_at,
    );
  return found;
}
