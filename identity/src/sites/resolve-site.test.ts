import { createSecretKey } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { createSiteGuesses } from '../limits/allowances.ts';
import { findNamedSite, resolveSite } from './resolve-site.ts';
import { findSite } from './sites-store.ts';

const limits = { addressFailures: 3, addressWindowSeconds: 3600 };

describeStore('the site for a visitor’s input', (store) => {
  const run = (command: string[], input?: string) => createCommandLine(store()).run(command, input);
  const find = async (typed: string) =>
    (await resolveSite(store().database, typed, (name) => findSite(store().database, name)))?.name;

  beforeAll(async () => {
    const file = `name,displayName,parent,listed
harbor,Harbor Trust,,
harbor-audit,Audit Committee,harbor,
st,Street Works,,
mary,St. Mary’s Hospital,,
dotted.board,Dotted,,
oeffentlich,ÖFFENTLICHE Bank,,
twin-one,Twin Holdings,,
twin-two,TWIN  holdings,,
quiet,Quiet Capital,,false
loud,Quiet Capital,,
closed,Closed Books,,
`;
    const { errors } = await run(['sites', 'import', '-'], file);
    if (errors !== '') throw new Error(errors);
    await run(['sites', 'disable', 'closed']);
  });

  test.each([
    ['its name in any case and spacing', ' HARBOR '],
    ['its name with inner spaces', 'har bor'],
    ['its display name', 'Harbor Trust'],
    ['its display name in any case and spacing', '  harbor   TRUST\u00a0'],
    ['an address', 'https://harbor.example/'],
    ['an address with a direction mark', '\u200Ehttps://harbor.example/'],
    ['an address with a path, a port and a query', 'HTTP://www.Harbor.co.example:8443/sign-in?x=1#y'],
    ['a host', 'harbor.example'],
  ])('is found by %s', async (_, typed) => {
    expect(await find(typed)).toBe('harbor');
  });

  test('ignores case in any language', async () => {
    expect(await find('öffentliche bank')).toBe('oeffentlich');
  });

  test('a display name wins over a name with dots, which wins over the name without its ending', async () => {
    expect(await find('dotted.board')).toBe('dotted.board');
    expect(await find('https://dotted.board/x')).toBe('dotted.board');
    expect(await find('St. Mary’s Hospital')).toBe('mary');
  });

  test.each([
    'Harbor',
    'Harbor Trus',
    'Harbor Trust plc',
    'St. Nobody',
    'harbor@nowhere',
    'example.harbor',
    '...',
    '\u200b',
    "x' or 1=1 --",
  ])('%j matches only a site with exactly this name', async (typed) => {
    expect(await find(typed)).toBe(typed === 'Harbor' ? 'harbor' : undefined);
  });

  test('a display name of several sites, of a child site or of a disabled site matches none', async () => {
    for (const typed of ['Twin Holdings', 'Audit Committee', 'Closed Books', 'https://closed.example'])
      expect(await find(typed)).toBeUndefined();
    expect(await find('harbor-audit')).toBe('harbor-audit');
  });

  test('an unlisted site is found only by its exact name, and does not hide a listed site with the same display name', async () => {
    expect(await find('QUIET')).toBe('quiet');
    for (const typed of ['q uiet', 'quiet.example']) expect(await find(typed)).toBeUndefined();
    expect(await find('Quiet Capital')).toBe('loud');
    await run(['sites', 'add', 'loud', '--no-listed', '--update']);
    expect(await find('Quiet Capital')).toBeUndefined();
    await run(['sites', 'add', 'loud', '--listed', '--update']);
    expect(await find('Quiet Capital')).toBe('loud');
  });

  test('a renamed site is found only by its new display name', async () => {
    await run(['sites', 'add', 'moving', '--display-name', 'First Name']);
    await run(['sites', 'add', 'moving', '--display-name', 'Second Name', '--update']);
    expect(await find('second name')).toBe('moving');
    expect(await find('First Name')).toBeUndefined();
    // A node of the previous release would send this update.
    await store()
      .database.updateTable('sites')
      .set({ display_name: 'Third Name' })
      .where('name', '=', 'moving')
      .execute();
    expect(await find('Second Name')).toBeUndefined();
  });

  describe('site guesses', () => {
    const openDoor = () => {
      const clock = movableClock();
      const keyRing = [createSecretKey(Buffer.alloc(32, 9))] as const;
      const limiting = { database: store().database, clock, keyRing, countLimited: () => {} };
      const { guess } = createSiteGuesses(limiting, limits);
      const visit = (address: string, browserSecret?: string) => (typed: string) =>
        findNamedSite(store().database, typed, {
          guessSite: (look) => guess({ address, browserSecret }, look),
        });
      return { clock, visit };
    };

    test('an address can guess as many unknown sites as it can try wrong passwords, then must wait', async () => {
      const { visit, clock } = openDoor();
      const stranger = visit('192.0.2.30');
      for (let found = 0; found < 10; found += 1)
        expect(await stranger('Harbor Trust')).toMatchObject({ name: 'harbor' });
      for (let missed = 0; missed < limits.addressFailures; missed += 1)
        expect(await stranger(`nowhere ${missed}`)).toBeUndefined();
      // Known and unknown sites now get the same response.
      for (const typed of ['nowhere', 'Harbor Trust', 'Quiet Capital'])
        await expect(stranger(typed)).rejects.toMatchObject({
          code: 'rate_limit_reached',
          retryAfterSeconds: 3600,
        });
      // An exact name still works, and so does every other address.
      expect(await stranger('harbor')).toMatchObject({ name: 'harbor' });
      expect(await visit('192.0.2.31')('Harbor Trust')).toMatchObject({ name: 'harbor' });
      clock.advanceSeconds(limits.addressWindowSeconds);
      expect(await stranger('Harbor Trust')).toMatchObject({ name: 'harbor' });
    });

    test('attackers behind the same address do not lock out the users of a known browser [S34]', async () => {
      const { visit } = openDoor();
      const address = '192.0.2.40';
      for (let missed = 0; missed < limits.addressFailures; missed += 1) await visit(address)(`no ${missed}`);
      const known = visit(address, 'secret');
      expect(await known('Harbor Trust')).toMatchObject({ name: 'harbor' });
      expect(await known('Harbour Trust')).toBeUndefined();
    });

    test('of 20 parallel guesses exactly the allowed number is answered', async () => {
      const { visit } = openDoor();
      const guesses = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) => visit('192.0.2.50')(`nowhere at all ${index}`)),
      );
      expect(guesses.filter(({ status }) => status === 'fulfilled')).toHaveLength(limits.addressFailures);
    });
  });
});
