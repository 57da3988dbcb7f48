import { createSecretKey } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { createLog } from '../lib/log.ts';
import type { Database, Tables } from '../store/schema.ts';
import type { Audit, AuditEvent } from './audit.ts';
import { createAudit } from './create-audit.ts';

const keyRing = [createSecretKey(Buffer.alloc(32, 1))] as const;
const begin = new Date('2026-03-01T10:00:00.000Z');
const failed: AuditEvent = { event: 'password.check', result: 'failure', reason: 'wrong password' };
const proved: AuditEvent = { event: 'password.check', result: 'success' };

function open(database: Database, settings = { addresses: true, days: 30 }) {
  const log: Record<string, unknown>[] = [];
  const write = (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>);
  const clock = movableClock(begin);
  const countLost = vi.fn<(count: number) => void>();
  const audit = createAudit(
    { database, clock, log: createLog('debug', { write }), keyRing, countEvent: () => undefined, countLost },
    settings,
  );
  return { audit, clock, log, countLost };
}

/** Creates a database connection to a server that does not exist. */
function absentDatabase(): Database {
  const pool = new Pool({ host: '127.0.0.1', port: 1, connectionTimeoutMillis: 500 });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

describeStore('the audit log', (store) => {
  const rowsOf = async (correlationId: string) =>
    await store()
      .database.selectFrom('audit_events')
      .selectAll()
      .where('correlation_id', '=', correlationId)
      .orderBy('number')
      .execute();

  test('stores time, user, event, result, reason, request and address [S64]', async () => {
    const { audit, log } = open(store().database);
    const event: AuditEvent = {
      event: 'second-factor.check',
      result: 'success',
      reason: 'because',
      userId: 'user-1',
      sessionHash: 'hash',
      site: 'harbor',
      clientId: 'director',
      connection: 'corp',
      details: { factor: 'sms', asked: undefined },
    };
    audit.note(event, { correlationId: 'whole', address: '192.0.2.7' });
    expect(log).toMatchObject([
      { msg: 'second-factor.check: success', correlationId: 'whole', site: 'harbor' },
    ]);
    await audit.flush();
    const [row] = await rowsOf('whole');
    expect(row).toMatchObject({
      at: begin,
      event: 'second-factor.check',
      result: 'success',
      reason: 'because',
      user_id: 'user-1',
      session_hash: 'hash',
      site: 'harbor',
      client_id: 'director',
      connection: 'corp',
      address: '192.0.2.7',
      details: { factor: 'sms' },
    });
  });

  test('stores no address if the operator disables that', async () => {
    const { audit } = open(store().database, { addresses: false, days: 1 });
    audit.note(failed, { correlationId: 'no-address', address: '192.0.2.7' });
    await audit.flush();
    expect((await rowsOf('no-address'))[0]).toMatchObject({ address: null });
  });

  test('writes any number of events in their order', async () => {
    const { audit } = open(store().database);
    for (let index = 0; index < 500; index += 1)
      audit.note({ ...proved, details: { more: String(index) } }, { correlationId: 'many' });
    await audit.flush();
    const rows = await rowsOf('many');
    expect(rows.map(({ details }) => Number(details['more']))).toEqual(
      Array.from({ length: 500 }, (_, n) => n),
    );
  });

  test('accepts texts that the database would reject, and truncates long texts [S61]', async () => {
    const { audit, countLost } = open(store().database);
    const reason = `a\0b\ud800c'"\\;-- ${'x'.repeat(5000)}`;
    audit.note({ ...failed, reason, details: { name: reason } }, { correlationId: 'odd' });
    await audit.flush();
    const [row] = await rowsOf('odd');
    expect(row?.reason).toMatch(/^a\ufffdb\ufffdc'"\\;-- x+$/);
    expect(row?.reason).toHaveLength(300);
    expect(countLost).not.toHaveBeenCalled();
  });

  test('summarises a flood of failures from one address once a minute, and stores a row for every other event [S67]', async () => {
    const { audit, clock, log } = open(store().database);
    const flood = { correlationId: 'flood', address: '192.0.2.66' };
    for (let index = 0; index < 1000; index += 1) audit.note({ ...failed, userId: `user-${index}` }, flood);
    for (let index = 0; index < 1000; index += 1)
      audit.note(failed, { correlationId: 'IPv6 flood', address: `2001:db8:1:${index}::1` });
    audit.note(failed, { ...flood, address: '192.0.2.67' });
    audit.note(proved, flood);
    await audit.flush();
    expect(await rowsOf('flood')).toHaveLength(62);
    expect(await rowsOf('IPv6 flood')).toHaveLength(60);
    clock.advanceSeconds(61);
    await audit.flush();
    const [summary, ...more] = (await rowsOf('flood')).slice(62);
    expect(summary).toMatchObject({
      reason: 'wrong password',
      address: '192.0.2.66',
      user_id: null,
      details: { more: '940' },
    });
    expect(more).toEqual([]);
    expect(log.filter(({ event }) => event === 'password.check')).toHaveLength(2002);
    audit.note(failed, { ...flood, correlationId: 'after the flood' });
    await audit.close();
    expect(await rowsOf('after the flood')).toHaveLength(1);
  });

  test('deletes exactly the events beyond the retention period', async () => {
    const { audit, clock } = open(store().database);
    audit.note(failed, { correlationId: 'old' });
    clock.advanceSeconds(30 * 24 * 3600 - 10);
    audit.note(failed, { correlationId: 'young' });
    await audit.flush();
    clock.advanceSeconds(20);
    expect(await audit.prune()).toBeGreaterThan(0);
    expect(await rowsOf('old')).toEqual([]);
    expect(await rowsOf('young')).toHaveLength(1);
  });
});

describe('while the database is unavailable', () => {
  const noteMany = (audit: Audit, count: number) => {
    for (let index = 0; index < count; index += 1)
      audit.note({ ...proved, details: { more: String(index) } }, { correlationId: 'away' });
  };

  test('delays no request and loses no event up to a limit; above it, keeps the newest, and logs and counts the loss [F01]', async () => {
    const database = absentDatabase();
    const { audit, log, countLost } = open(database);
    noteMany(audit, 100);
    await audit.flush();
    expect(countLost).not.toHaveBeenCalled();
    noteMany(audit, 25_000);
    await audit.flush();
    const lost = () => countLost.mock.calls.reduce((sum, [count]) => sum + count, 0);
    expect(lost()).toBe(25_100 - 20_000);
    await audit.close();
    expect(lost()).toBe(25_100);
    expect(log.filter(({ event }) => event === 'password.check')).toHaveLength(25_100);
    expect(log.filter(({ msg }) => String(msg).includes('were not stored'))).not.toHaveLength(0);
    await database.destroy();
  });
});
