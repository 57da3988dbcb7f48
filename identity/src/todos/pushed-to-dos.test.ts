import { createHash, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { publicUrl } from '../../testing/application.ts';
import { secretary, signIn } from '../../testing/journeys.ts';
import { useApplication } from '../../testing/use-application.ts';

const key = randomBytes(32).toString('base64');
const newKey = randomBytes(32).toString('base64');
const harborKey = randomBytes(32).toString('base64');
const hashOf = (value: string) => createHash('sha256').update(value).digest('hex');
const application = useApplication({
  settings: {
    BOARD_SYSTEM_KEYS: `boards-eu:${hashOf(key)},boards-eu:${hashOf(newKey)},boards-harbor:${hashOf(harborKey)}:harbor`,
  },
});

const path = '/api/board-systems/to-dos';
const book = (version: number) => ({
  bookId: 'june',
  tabVersions: [{ id: 'agenda', version }],
  documentVersions: [],
});
const toDos = {
  site: 'Harbor',
  boardsUserName: secretary.userName,
  pendingVoteCount: 3,
  openQuestionnairesCount: 21,
  minutesCount: 0,
  actionItemsCount: 1,
  directorHomePageEnabled: true,
  books: [book(2)],
  seenBooks: [book(1)],
};
const at = () => application().clock.now().toISOString();

async function push(body: unknown, headers: Record<string, string> = { authorization: `Bearer ${key}` }) {
  const response = await application().app.inject({
    method: 'POST',
    url: path,
    headers: { host: new URL(publicUrl).host, 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    json: response.body === '' ? undefined : (JSON.parse(response.body) as Record<string, unknown>),
  };
}

const countSaved = async () =>
  (await application().services.database.selectFrom('to_dos').selectAll().execute()).length;

beforeEach(async () => {
  await application().services.database.deleteFrom('to_dos').execute();
});

describe('to-dos pushed by a board system', () => {
  test('are shown: counts at the site, seen books in the site list [I28]', async () => {
    expect(await push({ at: at(), toDos: [toDos] })).toMatchObject({
      status: 200,
      json: { known: 1, unknown: [] },
    });
    const browser = application().openBrowser();
    await signIn(browser);
    expect((await browser.call('/api/ui/sites/harbor/todo')).json()).toEqual({
      pendingVoteCount: 3,
      openQuestionnairesCount: 21,
      minutesCount: 0,
      actionItemsCount: 1,
      directorHomePageEnabled: true,
      books: [book(2)],
    });
    const { sites } = (await browser.call('/api/ui/sites')).json() as {
      sites: { name: string; storedBooks: unknown }[];
    };
    expect(sites.find(({ name }) => name === 'harbor')?.storedBooks).toEqual([book(1)]);
  });

  test('entries for non-members are reported by their index and not stored', async () => {
    const answer = await push({
      at: at(),
      toDos: [toDos, { ...toDos, site: 'corp' }, { ...toDos, boardsUserName: 'nobody' }],
    });
    expect(answer.json).toEqual({ known: 1, unknown: [1, 2] });
    expect(await countSaved()).toBe(1);
  });

  test('a key for named sites is rejected for others, and nothing is stored [S62]', async () => {
    const ofHarbor = { authorization: `Bearer ${harborKey}` };
    expect(await push({ at: at(), toDos: [toDos] }, ofHarbor)).toMatchObject({
      status: 200,
      json: { known: 1 },
    });
    await application().services.database.deleteFrom('to_dos').execute();
    for (const site of ['northwind', 'atlantis']) {
      const answer = await push({ at: at(), toDos: [toDos, { ...toDos, site }] }, ofHarbor);
      expect(answer).toMatchObject({ status: 403, json: { code: 'forbidden' } });
    }
    expect(await countSaved()).toBe(0);
  });

  test('every call is logged with board system and counts, without personal data', async () => {
    application().log.length = 0;
    const { headers } = await push({ at: at(), toDos: [toDos, { ...toDos, site: 'atlantis' }] });
    const lines = application().log.filter(({ event }) => event === 'to-dos-received');
    expect(lines).toMatchObject([
      {
        boardSystem: 'boards-eu',
        known: 1,
        newer: 1,
        unknown: 1,
        correlationId: headers['x-correlation-id'],
      },
    ]);
    expect(JSON.stringify(application().log)).not.toContain(secretary.userName);
    expect(JSON.stringify(application().log)).not.toContain(key);
  });

  test('the old and the new key are valid during a key change', async () => {
    expect((await push({ at: at(), toDos: [toDos] }, { authorization: `Bearer ${newKey}` })).status).toBe(
      200,
    );
  });
});

describe('unauthorised callers', () => {
  test.each([
    ['no key', undefined],
    ['another one', randomBytes(32).toString('base64')],
    ['its hash', hashOf(key)],
    ['a part of the key', key.slice(0, -1)],
    ['the right key with another scheme', `Basic ${key}`],
  ])('%s: 401 before the body is read', async (_what, presented) => {
    const authorization = presented?.startsWith('Basic') === true ? presented : `Bearer ${presented ?? ''}`;
    const answer = await push('no json', presented === undefined ? {} : { authorization });
    expect([answer.status, answer.json]).toEqual([401, { code: 'unauthorized' }]);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  test('a user’s session is not a key, even if it can make every other call', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    expect((await browser.post(path, { at: at(), toDos: [toDos] })).status).toBe(401);
    expect(await countSaved()).toBe(0);
  });

  test('another method or content type is rejected', async () => {
    const inject = (method: 'GET' | 'PUT', headers: Record<string, string>) =>
      application().app.inject({ method, url: path, headers: { host: new URL(publicUrl).host, ...headers } });
    expect((await inject('GET', {})).statusCode).toBeGreaterThanOrEqual(404);
    const asText = { authorization: `Bearer ${key}`, 'content-type': 'text/plain' };
    expect((await push({ at: at(), toDos: [toDos] }, asText)).status).toBe(415);
  });
});

describe('invalid input is rejected as a whole', () => {
  const cases: [string, () => unknown][] = [
    ['nothing', () => ({ at: at(), toDos: [] })],
    [
      'too many',
      () => ({
        at: at(),
        toDos: Array.from({ length: 201 }, () => ({ ...toDos, books: [], seenBooks: [] })),
      }),
    ],
    ['a negative count', () => ({ at: at(), toDos: [toDos, { ...toDos, minutesCount: -1 }] })],
    ['an integer overflow', () => ({ at: at(), toDos: [{ ...toDos, minutesCount: 2 ** 31 }] })],
    ['an unknown member', () => ({ at: at(), toDos: [{ ...toDos, userId: 'x' }] })],
    ['a string as count', () => ({ at: at(), toDos: [{ ...toDos, minutesCount: '1' }] })],
    ['no time', () => ({ toDos: [toDos] })],
    ['an invalid time', () => ({ at: 'yesterday', toDos: [toDos] })],
    ['a future time, which would block later calls', () => ({ at: '2999-01-01T00:00:00Z', toDos: [toDos] })],
    ['a NUL in a name', () => ({ at: at(), toDos: [{ ...toDos, boardsUserName: 'a\0b' }] })],
  ];
  test.each(cases)('%s: 400', async (_what, body) => {
    const answer = await push(body());
    expect([answer.status, answer.json]).toEqual([400, { code: 'validation_failed' }]);
    expect(await countSaved()).toBe(0);
  });

  test('a body of more than 64 kB: 413', async () => {
    const long = { ...toDos, books: Array.from({ length: 2_000 }, () => book(1)) };
    expect((await push({ at: at(), toDos: [long] })).status).toBe(413);
  });
});
