import { sql } from 'kysely';
import type { FactorOwner } from './factor.ts';

/** Whether the user of a row of `users` has a passkey. */
export const hasPasskey = sql<boolean>`exists (select from passkeys where passkeys.user_id = users.id)`.as(
  'has_passkey',
);

type Row = {
  phone_number: string | null;
  has_passkey: boolean;
  email: string | null;
  verified_email: string | null;
};

/** Reads which second factors a user has. */
export function toFactorOwner(row: Row, hasApp: boolean): FactorOwner {
  return {
    phoneNumber: row.phone_number ?? undefined,
    hasApp,
    hasPasskey: row.has_passkey,
    verifiedEmail: row.email !== null && row.email === row.verified_email ? row.email : undefined,
  };
}
