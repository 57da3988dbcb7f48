import { describe, expect, test } from 'vitest';
import { memberships } from '../memberships.ts';
import { RefusedError, collectProblems } from '../problems.ts';
import type { Problem } from '../problems.ts';
import type { Resource, Row } from '../resource.ts';
import { sites } from '../sites.ts';
import { users } from '../users.ts';
import { collectRows } from './collect-rows.ts';

/** Yields the file in chunks of a few bytes, to test every chunk boundary. */
async function* inChunks(file: string | Buffer, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(file);
  for (let start = 0; start < bytes.length; start += size) {
    yield await Promise.resolve(bytes.subarray(start, start + size));
  }
}

async function collect(
  resource: Pick<Resource, 'fields' | 'keys' | 'facts' | 'parse' | 'uniqueIn'>,
  file: string | Buffer,
): Promise<{ rows: Row[]; problems: readonly Problem[]; count: number }> {
  const problems = collectProblems();
  try {
    const rows = await collectRows(resource, inChunks(file), problems);
    problems.refuseIfAny();
    return { rows, problems: [], count: 0 };
  } catch (error) {
    if (error instanceof RefusedError) return { rows: [], problems: error.problems, count: error.count };
    throw error;
  }
}

const readUsers = (file: string | Buffer) => collect(users, file);
const readMembers = (file: string | Buffer) => collect(memberships, file);

describe('a CSV file', () => {
  const dana = { userName: 'dana', firstName: 'Dana', lastName: 'Whitfield' };

  test.each([
    ['commas and line feeds', 'userName,firstName,lastName\ndana,Dana,Whitfield\n'],
    [
      'semicolons, CRLF and a byte order mark',
      '\ufeffuserName;firstName;lastName\r\ndana;Dana;Whitfield\r\n',
    ],
    ['tabs and no line break at the end', 'userName\tfirstName\tlastName\ndana\tDana\tWhitfield'],
    ['quotes and empty lines', '\n"userName","firstName",lastName\n\n"dana",Dana,"Whitfield"\n\n'],
    ['other spellings of the field names', 'User name,FIRST_NAME,last-name\ndana,Dana,Whitfield\n'],
  ])('with %s is read', async (_what, file) => {
    const { rows, problems } = await readUsers(file);
    expect(problems).toEqual([]);
    expect(rows.map(({ entry }) => entry)).toEqual([expect.objectContaining(dana)]);
  });

  test('can contain any script, also when a character spans two chunks', async () => {
    const { rows } = await readUsers('userName,firstName,lastName\nنور,Žofie,山田 𠮷\n');
    expect(rows[0]?.entry).toMatchObject({ userName: 'نور', firstName: 'Žofie', lastName: '山田 𠮷' });
  });

  test('that is not UTF-8 is refused with advice', async () => {
    const latin1 = Buffer.from('userName,firstName,lastName\nzoe,Zo\u00eb,Smith\n', 'latin1');
    expect((await readUsers(latin1)).problems[0]?.reason).toContain('CSV UTF-8');
    const utf16 = Buffer.from('\ufeffuserName,firstName,lastName\n', 'utf16le');
    for (const file of [utf16, utf16.subarray(2), Buffer.from(utf16).swap16()])
      expect((await readUsers(file)).problems).toEqual([
        { reason: 'the file is UTF-16 (in Excel: save it as "CSV UTF-8")' },
      ]);
  });

  test('reports the first line of an entry, also after cells with line breaks and empty lines', async () => {
    const file = 'name,displayName\none,"first\nsecond\nthird"\n\n\ntwo,ok\n/,ok\n"a\nb",ok\n';
    const { problems } = await collect(sites, file);
    expect(problems).toEqual([
      { line: 2, column: 'displayName', reason: 'must not contain control characters' },
      { line: 8, column: 'name', reason: 'must not contain / \\ ? # or %' },
      { line: 9, column: 'name', reason: 'must not contain control characters' },
    ]);
  });

  test('reports entries with too many or too few fields', async () => {
    const { problems } = await readMembers('userName,site\na,b,c\nd\n');
    expect(problems).toEqual([
      { line: 2, reason: 'has 3 fields where the first line has 2' },
      { line: 3, reason: 'has 1 fields where the first line has 2' },
    ]);
  });

  test('with an unclosed quote is refused before it exhausts the memory', async () => {
    const open = await readMembers('userName,site\n"a,b\n');
    expect(open.problems).toEqual([{ line: 2, reason: 'a quote is not closed' }]);
    const long = await readMembers(`userName,site\n"${'x'.repeat(200_000)}`);
    expect(long.problems[0]?.reason).toContain('perhaps a quote is not closed');
  });

  test('reports an unknown, duplicate or missing column once, not for each line', async () => {
    const { problems } = await readMembers('Site,site,colour\na,b,c\nd,e,f\n');
    expect(problems.map(({ line, column }) => [line, column])).toEqual([
      [1, 'site'],
      [1, 'colour'],
      [1, 'userName'],
    ]);
  });

  test('with passwords is refused', async () => {
    const { problems } = await readUsers('userName,password\ndana,hunter2\n');
    expect(problems).toMatchObject([{ line: 1, column: 'password' }]);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  test('is read without the apostrophes that escape formulas', async () => {
    const { rows } = await readMembers("userName,site,clientEntitlement\n'+a,b,'=Chair\n'quoted',b,'tis\n");
    expect(rows.map(({ entry }) => [entry.userName, entry.clientEntitlement])).toEqual([
      ['+a', '=Chair'],
      ["'quoted'", "'tis"],
    ]);
  });

  test('that is empty is refused; a file with only the field names has no entries', async () => {
    expect((await readMembers('')).problems).toEqual([{ reason: 'the file is empty' }]);
    expect(await readMembers('userName,site\n')).toMatchObject({ rows: [], count: 0 });
  });
});

describe('a JSON file', () => {
  const expected = [
    { userName: 'a', site: 'b', entitlementRequirementsMet: false },
    { userName: 'c}"]', site: 'd', clientEntitlement: null },
  ];

  test.each([
    [
      'an array',
      '\n[ {"userName":"a","site":"b","entitlementRequirementsMet":false} ,\n{"userName":"c}\\"]","site":"d","clientEntitlement":null}\n]\n',
    ],
    [
      'one object per line',
      '{"userName":"a","site":"b","entitlementRequirementsMet":"no"}\r\n{"userName":"c}\\"]","site":"d","clientEntitlement":""}',
    ],
  ])('with %s is read', async (_what, file) => {
    const { rows, problems } = await readMembers(file);
    expect(problems).toEqual([]);
    expect(rows.map(({ entry }) => entry)).toEqual(expected);
  });

  test.each([
    ['text after the array', '[]x', { line: 1, reason: 'found "[]x", expected "[]"' }],
    [
      'a trailing comma',
      '[\n{"userName":"a","site":"b"},\n]',
      { line: 3, reason: 'found ",]", expected "]"' },
    ],
    ['a missing comma', '[{"userName":"a","site":"b"}\n{', { line: 2, reason: 'found "", expected ","' }],
    ['an unclosed array', '[{"userName":"a","site":"b"}', { line: 1, reason: 'found "", expected "]"' }],
    [
      'a value that is no object',
      '[{"userName":"a","site":"b"},\n7]',
      { line: 2, reason: 'found ",7]", expected "]"' },
    ],
    [
      'an unclosed object',
      '\n{"userName":\n"a"',
      { line: 3, reason: 'the entry that begins in line 2 is not closed' },
    ],
  ])('with %s is refused with its line', async (_what, file, problem) => {
    expect((await readMembers(file)).problems).toEqual([problem]);
  });

  test('with an entry that is not JSON is refused with its first line', async () => {
    const { problems } = await readMembers('[{"userName":"a","site":"b"},\n{"userName":\nnope}]');
    expect(problems).toMatchObject([{ line: 2 }]);
    expect(problems[0]?.reason).toMatch(/^the entry is not JSON/);
  });

  test('must contain values of the right types', async () => {
    const file =
      '{"userName":7,"site":["b"],"entitlementRequirementsMet":"perhaps"}\n{"site":"x"}\n{"userName":null,"site":"x"}';
    expect((await readMembers(file)).problems).toEqual([
      { line: 1, column: 'userName', reason: 'must be text' },
      { line: 1, column: 'site', reason: 'must be text' },
      { line: 1, column: 'entitlementRequirementsMet', reason: 'must be yes or no' },
      { line: 2, column: 'userName', reason: 'is required' },
      { line: 3, column: 'userName', reason: 'must be text' },
    ]);
  });

  test('must not contain an unpaired surrogate, which the database cannot return', async () => {
    const { problems } = await readMembers(String.raw`{"userName":"a\ud83d","site":"b"}`);
    expect(problems).toEqual([{ line: 1, column: 'userName', reason: 'must be Unicode text' }]);
  });

  test('cannot pollute prototypes through member names', async () => {
    const { problems } = await readMembers('{"userName":"a","site":"b","__proto__":{"x":1},"constructor":1}');
    expect(problems.map(({ column }) => column)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('the entries of one file', () => {
  test('must not name the same user twice, by user name or e-mail in any spelling', async () => {
    const { problems } = await readUsers(
      'userName,email,firstName,lastName\ndana,dana@x.example,D,W\n DANA ,,D,W\nsam,Dana@X.example,S,O\ndana@x.example,,D,W\n',
    );
    expect(problems).toEqual([
      { line: 3, column: 'userName', reason: 'is already in line 2' },
      { line: 4, column: 'email', reason: 'is already in line 2' },
      { line: 5, column: 'userName', reason: 'is already in line 2' },
    ]);
  });

  test('must follow the limits of the contract, E.164 and the format of an e-mail', async () => {
    const { problems } = await readUsers(
      [
        'userName,firstName,lastName,email,phoneNumber,disabled',
        `${'u'.repeat(101)},a,b,,,`,
        'b,a,b,not an address,,',
        'c,a,b,@x.example,,',
        'd,a,b,d@localhost,,',
        'e,a,b,,020 7946 0142,',
        'f,a,b,,+44 123,',
        'g,,b,,,',
        'h,a,b,,,perhaps',
        'i,a,b,i@x.example,+44 (20) 7946-0142,YES',
        'j,a,b,,+44 (0)20 7946 0142,',
        'k,a,b,,\u202A＋４４ 20/7946/0143\u202C,',
      ].join('\n'),
    );
    expect(problems.map(({ line, column }) => `${line} ${column}`)).toEqual([
      '2 userName',
      '3 email',
      '4 email',
      '5 email',
      '6 phoneNumber',
      '7 phoneNumber',
      '8 firstName',
      '9 disabled',
      '11 phoneNumber',
    ]);
    expect(problems.at(-1)?.reason).toContain('must not contain (0)');
  });

  test.each([
    ['a line that names the separator', 'sep=;\nuserName;firstName;lastName\na;Ada, A.;B\n'],
    ['a quoted line that names the separator', '"sep=;"\r\nuserName;firstName;lastName\r\na;Ada, A.;B\r\n'],
    ['empty columns at the end', 'userName,firstName,lastName,,\na,"Ada, A.",B,,\n'],
    ['empty columns at the end of the names only', 'userName,firstName,lastName,\na,"Ada, A.",B\n'],
    ['empty cells at the end of an entry', 'userName,firstName,lastName\na,"Ada, A.",B,, \n'],
    [
      'CRLF behind the names and LF behind the entries',
      'userName,firstName,lastName\r\na,"Ada, A.",B\nb,B,C\n',
    ],
    [
      'LF behind the names and CRLF behind the entries',
      'userName,firstName,lastName\na,"Ada, A.",B\r\nb,B,C\r\n',
    ],
    ['an empty line first and semicolons', '\r\nuserName;firstName;lastName\r\na;Ada, A.;B\r\n'],
    [
      'a byte order mark before the separator',
      '\ufeffsep=;\r\nuserName;firstName;lastName\r\na;Ada, A.;B\r\n',
    ],
    ['tabs and a line that names them', 'sep=\t\nuserName\tfirstName\tlastName\na\tAda, A.\tB\n'],
    ['spaces around the names', 'userName , firstName,\u00A0lastName\na,"Ada, A.",B\n'],
    ['CR behind the lines', 'userName,firstName,lastName\ra,"Ada, A.",B\rb,B,C\r'],
  ])('can have %s', async (_what, file) => {
    const { rows, problems } = await readUsers(file);
    expect(problems).toEqual([]);
    expect(rows[0]?.entry).toMatchObject({ userName: 'a', firstName: 'Ada, A.', lastName: 'B' });
  });

  test('with problems are refused: all problems are counted, and the first hundred are listed', async () => {
    const lines = Array.from({ length: 250 }, (_, index) => `bad/${index},x`);
    const { problems, count } = await collect(sites, `name,displayName\n${lines.join('\n')}\n`);
    expect(problems).toHaveLength(100);
    expect(count).toBe(250);
  });
});
