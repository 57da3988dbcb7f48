import { beforeAll, describe, expect, test } from 'vitest';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { writeEvents } from '../audit/audit-store.ts';
import { followEvents } from '../admin/audit.ts';
import { parseMoment } from './parse-moment.ts';

const now = new Date('2026-03-02T10:00:00.000Z');
const minutesAgo = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);

describeStore('anteroom audit', (store) => {
  const run = (words: string) => createCommandLine(store()).run(words);
  const numbersOf = async (words: string) =>
    (await run(words)).json().map(({ details }) => (details as { more: string }).more);

  beforeAll(async () => {
    await run('users add secretary --first-name S --last-name T');
    const person = await store().database.selectFrom('people').select('id').executeTakeFirstOrThrow();
    await writeEvents(
      store().database,
      Array.from({ length: 120 }, (_, n) => ({
        at: minutesAgo(120 - n),
        event: n % 2 === 0 ? ('password.check' as const) : ('sign-in.finish' as const),
        result: n % 4 === 0 ? ('failure' as const) : ('success' as const),
        reason: n === 60 ? '=1+1' : undefined,
        personId: n < 60 ? person.id : 'somebody-gone',
        site: n % 3 === 0 ? 'harbor' : 'summit',
        correlationId: `request-${n}`,
        details: { more: String(n) },
      })),
    );
  });

  test('shows the latest fifty without being told more, and the person by name', async () => {
    const events = (await run('audit list --json')).json();
    expect(events).toHaveLength(50);
    expect(events.at(-2)).toMatchObject({ correlationId: 'request-119', person: 'somebody-gone' });
    expect(events.at(-1)).toMatchObject({ event: 'operator.change', person: 'secretary' });
    expect((await run('audit list --correlation request-5 --json')).json()).toMatchObject([
      { person: 'secretary', event: 'sign-in.finish', result: 'success', site: 'summit' },
    ]);
  });

  test('finds by person, site, event, result and time', async () => {
    expect(await numbersOf('audit list --user secretary --site harbor --result failure --json')).toEqual([
      '0',
      '12',
      '24',
      '36',
      '48',
    ]);
    expect(
      await numbersOf('audit list --user somebody-gone --event password.check --since 5m --json'),
    ).toEqual(['116', '118']);
    expect(
      await numbersOf('audit list --since 2026-03-02T09:00Z --until 2026-03-02T09:02:30Z --json'),
    ).toEqual(['60', '61', '62']);
  });

  test('reads on where a page ended, by the number of an event', async () => {
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

  test('exports all of it as JSON lines or CSV, in which a formula is text', async () => {
    expect((await run('audit export --event password.check sign-in.finish')).json()).toHaveLength(120);
    const { output } = await run('audit export --csv --since 2026-03-02T09:00Z --until 2026-03-02T09:01Z');
    const [heading, line] = output.split('\n');
    expect(heading).toMatch(/^number,at,event,result,reason,person/);
    expect(line).toContain(",'=1+1,");
  });

  test('lists events by time, whichever node wrote its batch first', async () => {
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

  test('names the user concerned and the operator of a change', async () => {
    await run('users add secretary --phone-number +441632960011 --update --as dana');
    const [change] = (await run('audit list --user secretary --event operator.change --json'))
      .json()
      .toReversed();
    expect(change).toMatchObject({
      person: 'secretary',
      details: { verb: 'change', fields: 'phoneNumber', operator: 'dana' },
    });
  });

  test.each([
    'audit list --since yesterday',
    'audit list --event nothing',
    'audit list --after x',
    'audit list --limit 0',
  ])('%s is not understood', async (words) => {
    expect(await run(words)).toMatchObject({ code: 2 });
  });

  test('follows what comes, also what comes in behind a later number, each once', async () => {
    const { database } = store();
    const note = (correlationId: string) =>
      writeEvents(database, [{ at: now, event: 'sign-out', result: 'success', correlationId }]);
    const beats = [
      () => note('first'),
      // a slower node's row, whose number was given before
      () =>
        database
          .updateTable('audit_events')
          .set({ correlation_id: 'moved' })
          .where('correlation_id', '=', 'request-119')
          .execute(),
      () => note('second'),
    ];
    const pause = async (): Promise<boolean> => {
      const beat = beats.shift();
      await beat?.();
      return beat !== undefined;
    };
    const seen: unknown[] = [];
    for await (const { correlationId } of followEvents(database, { events: ['sign-out'] }, pause))
      seen.push(correlationId);
    expect(seen).toEqual(['first', 'second']);
  });
});

describe('a moment', () => {
  test.each([
    ['2026-03-02', '2026-03-02T00:00:00.000Z'],
    ['2026-03-02T08:30', '2026-03-02T08:30:00.000Z'],
    ['2026-03-02T08:30:15+02:00', '2026-03-02T06:30:15.000Z'],
    ['90m', '2026-03-02T08:30:00.000Z'],
    ['7d', '2026-02-23T10:00:00.000Z'],
  ])('%s is %s', (said, moment) => {
    expect(parseMoment('--since', said, now)?.toISOString()).toBe(moment);
  });

  test.each(['', 'now', '2026-13-01', '5w', '02.03.2026'])('%j is none', (said) => {
    expect(() => parseMoment('--since', said, now)).toThrow('--since must be a time');
  });
});
