import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { visitorRows } from './visitor-rows.ts';

/** Why a visitor without a session cannot cause a row of these tables, apart from rows that `VisitorRows` permits. */
const causedByOthers: Record<string, string> = {
  limits: 'the counters themselves: one row for each address, account or network',
  audit_events: 'repeated failures of an address are one row a minute (audit/floods.ts)',
  notices: 'queued for a user whose account changes',
  outbox: 'only outside production',
  mail_bounces: 'reported by the mail server of a message that was sent',
  // after a password or another proof of a user
  one_time_codes: 'after the password',
  code_messages: 'after the password, with budgets of its own (factors/message-limits.ts)',
  remembered_devices: 'after the code',
  recovery_codes: 'a signed-in user',
  authenticator_apps: 'a user who has entered the password',
  passkeys: 'a user who has entered the password',
  passkey_refusals: 'a signed-in user; one row for each user',
  used_passkey_challenges: 'after a passkey’s signature was verified',
  previous_passwords: 'a changed password',
  refusal_links: 'a changed account',
  password_links:
    'one row for each user; mails are limited for each address and user (recovery/request-mail.ts)',
  invitations: 'an operator; one row for each user',
  region_departures: 'a signed-in user',
  // after the proof of a server
  to_dos: 'a board system with a key',
  used_region_tokens: 'after the signature of another region was verified',
  region_arrivals: 'after the signature of another region was verified',
  region_links: 'after the signature of another region was verified',
  external_sessions: 'after the signature of an identity provider was verified; one row for each browser',
  used_assertions: 'after the signature of an identity provider was verified',
  external_identities: 'after the signature of an identity provider was verified',
  sign_out_notices: 'the end of a user’s session',
};

const operators = /^(?:admin|demo|keys)\/|^store\/job-leases\.ts$/;

/** `insertInto('table')` or `insert into table`, with the text that follows. */
const inserts = /(?:insertInto\('|insert into )(\w+)(.{0,60})/gs;

const source = join(import.meta.dirname, '..');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.test)\.ts$/.test(file),
);

test('every insert of a row that a visitor without a session can cause takes a permission that counts the request [S67]', () => {
  const found = files
    .filter((file) => !operators.test(file))
    .flatMap((file) =>
      [...readFileSync(join(source, file), 'utf8').matchAll(inserts)].map(([, table = '', rest = '']) => ({
        file,
        table,
        isCounted: rest.includes('.values(') && rest.includes('rows.bounded('),
      })),
    );
  expect(
    found
      .filter(({ isCounted }) => isCounted)
      .map(({ table }) => table)
      .toSorted(),
  ).toEqual(['error_records', 'external_requests', 'sessions', 'sign_ins', 'sign_outs']);
  const others = found.filter(({ isCounted, table }) => !isCounted && causedByOthers[table] === undefined);
  expect(others.map(({ file, table }) => `${file}: ${table}`).toSorted()).toEqual([
    // A user whom a company's identity provider has authenticated.
    'company/identities-store.ts: memberships',
    'company/identities-store.ts: sign_in_names',
    'company/identities-store.ts: users',
    // The provider's records: counted by the adapter, before they are collected for this statement.
    'provider/records-store.ts: openid_records',
    // The session of a user who has signed in.
    'sessions/create-sessions.ts: sessions',
  ]);
});

describe('a row of a visitor', () => {
  test('of more than 16 kB is refused', () => {
    const row = { text: 'x'.repeat(16_000) };
    expect(visitorRows.bounded(row)).toBe(row);
    expect(() => visitorRows.bounded({ text: 'x'.repeat(16 * 1024) })).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    );
  });
});
