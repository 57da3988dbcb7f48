import { describe, expect, test } from 'vitest';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { findSite } from '../sites/sites-store.ts';
import { sites } from '../admin/sites.ts';

describeStore('anteroom sites', (store) => {
  const run = (...given: Parameters<ReturnType<typeof createCommandLine>['run']>) =>
    createCommandLine(store()).run(...given);

  test('visitors can find an added site by its name', async () => {
    const added = await run([
      'sites',
      'add',
      ' Harbor ',
      '--display-name',
      'Harbor Trust',
      '--second-factor-required',
    ]);
    expect(added).toMatchObject({ code: 0, output: 'added harbor\n', errors: '' });
    expect(await findSite(store().database, 'HARBOR')).toMatchObject({
      name: 'harbor',
      displayName: 'Harbor Trust',
      asksForSecondFactor: true,
      adaptiveSecondFactor: true,
      allowPasswordEntry: true,
      parentId: undefined,
    });
  });

  test('add does not change an existing site; with --update it changes only the given fields', async () => {
    await run('sites add again --display-name One --sequence 4 --logo-path /logos/again.svg');
    expect(await run('sites add again --display-name One')).toMatchObject({
      code: 0,
      output: 'unchanged again\n',
    });
    const refused = await run('sites add again --display-name Two');
    expect(refused).toMatchObject({ code: 1, output: '' });
    expect(refused.errors).toBe('name: there is a site again already (--update changes it)\n');
    const changed = await run([
      'sites',
      'add',
      'again',
      '--display-name',
      'Two',
      '--logo-path',
      '',
      '--update',
    ]);
    expect(changed.output).toBe(
      'changed again: displayName "One" → "Two", logoPath "/logos/again.svg" → none\n',
    );
    expect(await findSite(store().database, 'again')).toMatchObject({
      displayName: 'Two',
      sequence: 4,
      logoPath: undefined,
    });
  });

  test('one file can contain a group and its sites in any order', async () => {
    const file =
      'name,displayName,parent,sequence\nfleet-audit,Audit,fleet,2\nfleet,Fleet,,\nfleet-pay,Pay,fleet,1\n';
    expect(await run('sites import -', file)).toMatchObject({ code: 0, errors: '' });
    const listed = await run('sites list --parent fleet --json');
    expect(listed.json().map(({ name, sequence }) => [name, sequence])).toEqual([
      ['fleet-audit', 2],
      ['fleet-pay', 1],
    ]);
  });

  test('an unknown parent and a cycle of parents are refused', async () => {
    expect((await run('sites add lonely --display-name Lonely --parent nowhere')).errors).toBe(
      'parent: there is no site nowhere\n',
    );
    await run('sites import -', 'name,displayName,parent\nround-a,A,\nround-b,B,round-a\n');
    expect(await run('sites add round-a --parent round-b --update')).toMatchObject({
      code: 1,
      errors: 'parent: round-b would be its own ancestor\n',
    });
    const circle = await run('sites import -', 'name,displayName,parent\nx1,X,x2\nx2,X,x1\nx3,X,x3\n');
    expect(circle).toMatchObject({ code: 1, output: '' });
    expect(circle.errors).toMatch(
      /^line 2, parent: .*\nline 3, parent: .*\nline 4, parent: .*\n3 problems: nothing was written\.\n$/,
    );
  });

  test('a dry run shows what would be added, changed and unchanged, and writes nothing', async () => {
    await run('sites import -', 'name,displayName\ndry-one,One\ndry-two,Two\n');
    const file = 'name,displayName\ndry-one,One\ndry-two,Second\ndry-three,Three\n';
    const dry = await run('sites import - --update --dry-run', file);
    expect(dry.output).toBe(
      'add dry-three\nchange dry-two: displayName "Two" → "Second"\nunchanged dry-one\nsites: 1 added, 1 changed, 1 unchanged (dry run: nothing was written)\n',
    );
    expect(
      (await run('sites list --search dry- --json')).json().map(({ displayName }) => displayName),
    ).toEqual(['One', 'Two']);
    expect((await run('sites import - --update --json', file)).json()).toEqual([
      {
        added: ['dry-three'],
        changed: [{ name: 'dry-two', changes: { displayName: { from: 'Two', to: 'Second' } } }],
        unchanged: ['dry-one'],
        dryRun: false,
      },
    ]);
  });

  test('an import with an invalid line writes nothing', async () => {
    const refused = await run('sites import - --json', 'name,displayName\ngood-one,One\n,Two\ngood-three,\n');
    expect(refused).toMatchObject({ code: 1, output: '' });
    expect(
      refused.errors
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { line: 3, column: 'name', reason: 'must not be empty' },
      { line: 4, column: 'displayName', reason: 'must not be empty' },
      { problems: 2, listed: 2 },
    ]);
    expect(await findSite(store().database, 'good-one')).toBeUndefined();
  });

  test('an import with a region that REGIONS does not list is refused, and nothing is written [S57]', async () => {
    const file = 'name,displayName,identityServiceUrl\nhome-a,A,\nhome-b,B,https://evil.test\n';
    const refused = await run('sites import -', file);
    expect(refused).toMatchObject({ code: 1, output: '' });
    expect(refused.errors).toContain('https://evil.test is not a region');
    expect(await findSite(store().database, 'home-a')).toBeUndefined();
    // the service's own address need not be listed
    const own = await run('sites add home-c --display-name C --identity-service-url http://localhost:4400');
    expect(own).toMatchObject({ code: 0, errors: '' });
  });

  test('visitors cannot find a disabled site until it is enabled again', async () => {
    await run('sites import -', 'name,displayName\noff-one,One\noff-two,Two\n');
    expect((await run('sites disable off-one off-two')).output).toBe(
      'sites: 0 added, 2 changed, 0 unchanged\n',
    );
    expect(await findSite(store().database, 'off-one')).toBeUndefined();
    expect((await run('sites list --disabled --search off- --json')).json()).toHaveLength(2);
    expect((await run('sites list --no-disabled --search off- --json')).json()).toHaveLength(0);
    await run('sites enable off-one');
    expect(await findSite(store().database, 'off-one')).toBeDefined();
    expect(await run('sites disable off-nowhere')).toMatchObject({
      code: 1,
      errors: 'name: there is no site off-nowhere\n',
    });
  });

  test("a site's password policy is validated", async () => {
    const policy = '{"minimumLength":12,"minimumDigits":1}';
    await run(['sites', 'add', 'strict', '--display-name', 'Strict', '--password-policy', policy]);
    expect((await findSite(store().database, 'strict'))?.passwordPolicy).toEqual(JSON.parse(policy));
    const weak = await run([
      'sites',
      'add',
      'weak',
      '--display-name',
      'Weak',
      '--password-policy',
      '{"minimumLength":4}',
    ]);
    expect(weak).toMatchObject({ code: 1 });
    expect(weak.errors).toMatch(/^passwordPolicy: must be a policy as JSON: minimumLength/);
  });

  test('a second factor is required from --second-factor-from on', async () => {
    const day = (count: number) =>
      new Date(Date.now() + count * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    const asks = async () => (await findSite(store().database, 'later'))?.asksForSecondFactor;
    await run([
      'sites',
      'add',
      'later',
      '--display-name',
      'Later',
      '--second-factor-required',
      '--second-factor-from',
      day(2),
    ]);
    expect(await asks()).toBe(false);
    expect((await run('sites show later --json')).json()).toMatchObject([
      { secondFactorFrom: `${day(2)}T00:00:00.000Z` },
    ]);
    expect((await run(`sites update later --second-factor-from ${day(2)}`)).output).toBe('unchanged later\n');
    await run(`sites update later --second-factor-from ${day(-1)}`);
    expect(await asks()).toBe(true);
    await run(`sites update later --second-factor-from ${day(2)}T10:00+02:00`);
    expect(await asks()).toBe(false);
    await run(['sites', 'update', 'later', '--second-factor-from', '']);
    expect(await asks()).toBe(true);

    const unclear = await run('sites update later --second-factor-from tomorrow');
    expect(unclear).toMatchObject({ code: 1 });
    expect(unclear.errors).toContain('must be a day such as 2027-01-15');
    const aimless = await run('sites add aimless --display-name Aimless --second-factor-from 2027-01-15');
    expect(aimless).toMatchObject({ code: 1 });
    expect(aimless.errors).toContain('has no effect without secondFactorRequired');
  });

  test('list is sorted and has pages, and its output can be imported', async () => {
    await run('sites import -', 'name,displayName\npage-c,=1+1\npage-a,"A, ""quoted"""\npage-b,B\n');
    const first = await run('sites list --search page- --limit 2 --json');
    expect(first.json().map(({ name }) => name)).toEqual(['page-a', 'page-b']);
    const rest = await run('sites list --search page- --after page-b --json');
    expect(rest.json().map(({ name }) => name)).toEqual(['page-c']);
    const csv = await run('sites list --search page- --csv');
    expect(csv.output).toContain("page-c,'=1+1,");
    for (const listed of [csv, await run('sites list --search page- --json')]) {
      expect((await run('sites import - --update --json', listed.output)).json()).toMatchObject([
        { added: [], changed: [], unchanged: ['page-a', 'page-b', 'page-c'] },
      ]);
    }
  });
});

describe('the logo address', () => {
  const findProblems = (logoPath: string) => {
    const parsed = sites.parse({ name: 'x', logoPath });
    return 'problems' in parsed ? parsed.problems : [];
  };

  test.each(['/logos/harbor.svg', 'https://cdn.example/logo.svg?v=2', 'http://localhost:4400/x.png', ''])(
    'may be %j',
    (address) => {
      expect(findProblems(address)).toEqual([]);
    },
  );

  test.each([
    'javascript:alert(1)',
    'data:image/svg+xml,x',
    '//evil.example/x',
    '/\\evil.example/x',
    '/..//evil.example',
    'https:evil.example',
    'https://user:secret@evil.example/',
    'logo.svg',
    'https://cdn.example/a b',
  ])('must not be %j', (address) => {
    expect(findProblems(address)).toHaveLength(1);
  });
});
