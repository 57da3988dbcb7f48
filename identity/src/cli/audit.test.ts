import { beforeAll, describe, expect, test } from 'vitest';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { writeEvents } from '../audit/audit-store.ts';
import { followEvents } from '../admin/audit.ts';
import { readMoment } from './audit.ts';

const now = new Date('2026-03-02T10:00:00.000Z');
const minutesAgo = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);

describeStore('anteroom audit', (store) => {
  const run = (words: string) => createCommandLine(store()).run(words);
  const numbersOf = async (words: string) =>
    (await run(words)).json().map(({ details }) => (details as { more: string }).more);

  beforeAll(async () => {
    await run('users add secretary --first-name S --last-name T');
    const user = await store().database.selectFrom('users').select('id').executeTakeFirstOrThrow();
    await writeEvents(
      store().database,
      Array.from({ length: 120 }, (_, n) => ({
        at: minutesAgo(120 - n),
        event: n % 2 === 0 ? ('password.check' as const) : ('sign-in.finish' as const),
        result: n % 4 === 0 ? ('failure' as const) : ('success' as const),
        reason: n === 60 ? '=1+1' : undefined,
        userId: n < 60 ? user.id : 'deleted-user',
        site: n % 3 === 0 ? 'harbor' : 'summit',
        correlationId: `request-${n}`,
        details: { more: String(n) },
      })),
    );
  });

  test('lists the latest fifty events by default, with user names', async () => {
    const events = (await run('audit list --json')).json();
    expect(events).toHaveLength(50);
    expect(events.at(-2)).toMatchObject({ correlationId: 'request-119', user: 'deleted-user' });
    expect(events.at(-1)).toMatchObject({ event: 'operator.change', user: 'secretary' });
    expect((await run('audit list --correlation request-5 --json')).json()).toMatchObject([
      { user: 'secretary', event: 'sign-in.finish', result: 'success', site: 'summit' },
    ]);
  });

  test('filters by user, site, event, result and time', async () => {
    expect(await numbersOf('audit list --user secretary --site harbor --result failure --json')).toEqual([
      '0',
      '12',
      '24',
      '36',
      '48',
    ]);
    expect(
      await numbersOf('audit list --user deleted-user --event password.check --since 5m --json'),
    ).toEqual(['116', '118']);
    expect(
      await numbersOf('audit list --since 2026-03-02T09:00Z --until 2026-03-02T09:02:30Z --json'),
    ).toEqual(['60', '61', '62']);
  });

  test('lists the next page with --after and the number of the last event', async () => {
    const first = (
      await run('audit list --since 24h --limit 70 --event password.check sign-in.finish --json')
    ).json();
    expect(first).toHaveLength(70);
    const rest = (
      await run(
        `audit list --after ${String(first.at(-1)?.['number'])} --event password.check sign-in.finish --json`,
      )
    ).json();
    expect(rest).toHaveLength(50);
    expect(rest[0]).toMatchObject({ correlationId: 'request-70' });
  });

  test('exports all events as JSON lines or CSV, and escapes formulas in CSV', async () => {
    expect((await run('audit export --event password.check sign-in.finish')).json()).toHaveLength(120);
    const { output } = await run('audit export --csv --since 2026-03-02T09:00Z --until 2026-03-02T09:01Z');
    const [heading, line] = output.split('\n');
    expect(heading).toMatch(/^number,at,event,result,reason,user/);
    expect(line).toContain(",'=1+1,");
  });

  test('sorts events by time, regardless of the order in which nodes wrote them', async () => {
    const { database } = store();
    const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
    for (const seconds of [2, 1, 3])
      await writeEvents(database, [
        { at: at(seconds), event: 'token.revoke', result: 'success', correlationId: `t${seconds}` },
      ]);
    const listed = (await run('audit list --event token.revoke --json')).json();
    expect(listed.map(({ correlationId }) => correlationId)).toEqual(['t1', 't2', 't3']);
    const next = await run(`audit list --event token.revoke --after ${String(listed[0]?.['number'])} --json`);
    expect(next.json().map(({ correlationId }) => correlationId)).toEqual(['t2', 't3']);
  });

  test('records the user and the operator of a change', async () => {
    await run('users add secretary --phone-number +441632960011 --update --as dana');
    const [change] = (await run('audit list --user secretary --event operator.change --json'))
      .json()
      .toReversed();
    expect(change).toMatchObject({
      user: 'secretary',
      details: { action: 'change', fields: 'phoneNumber', operator: 'dana' },
    });
  });

  test.each([
    'audit list --since yesterday',
    'audit list --event nothing',
    'audit list --after x',
    'audit list --limit 0',
  ])('%s is invalid usage', async (words) => {
    expect(await run(words)).toMatchObject({ code: 2 });
  });

  test('--follow shows each new event once, even if events with higher numbers appear before it', async () => {
    const { database } = store();
    const note = (correlationId: string) =>
      writeEvents(database, [{ at: now, event: 'sign-out', result: 'success', correlationId }]);
    const steps = [
      () => note('first'),
      // the row of a slower node, whose number was assigned earlier
      () =>
        database
          .updateTable('audit_events')
          .set({ correlation_id: 'moved' })
          .where('correlation_id', '=', 'request-119')
          .execute(),
      () => note('second'),
    ];
    const pause = async (): Promise<boolean> => {
      const step = steps.shift();
      await step?.();
      return step !== undefined;
    };
    const seen: unknown[] = [];
    for await (const { correlationId } of followEvents(database, { events: ['sign-out'] }, pause))
      seen.push(correlationId);
    expect(seen).toEqual(['first', 'second']);
  });
});

describe('a time option', () => {
  test.each([
    ['2026-03-02', '2026-03-02T00:00:00.000Z'],
    ['2026-03-02T08:30', '2026-03-02T08:30:00.000Z'],
    ['2026-03-02T08:30:15+02:00', '2026-03-02T06:30:15.000Z'],
    ['90m', '2026-03-02T08:30:00.000Z'],
    ['7d', '2026-02-23T10:00:00.000Z'],
  ])('parses %s as %s', (given, moment) => {
    expect(readMoment('--since', given, now)?.toISOString()).toBe(moment);
  });

  test.each(['', 'now', '2026-13-01', '5w', '02.03.2026'])('rejects %j', (given) => {
    expect(() => readMoment('--since', given, now)).toThrow('--since must be a time');
  });
});
