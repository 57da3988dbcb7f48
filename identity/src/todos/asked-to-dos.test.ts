import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import { openEmbeddedTestDatabase } from '../../testing/describe-store.ts';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import type { Behaviour, FakeGateway } from '../../testing/fake-gateway.ts';
import { secretary, signIn } from '../../testing/journeys.ts';
import { createCircuitBreaker } from '../lib/circuit-breaker.ts';
import { createAskedToDos } from './asked-to-dos.ts';

// Attacks and faults, F08, for a board system: it refuses, fails, hangs, answers nonsense, or is not there.

let boards: FakeGateway;
beforeAll(async () => {
  boards = await startFakeGateway();
});
afterAll(() => boards.close());

const toDos = {
  pendingVoteCount: 2,
  openQuestionnairesCount: 1,
  directorHomePageEnabled: true,
  minutesCount: 0,
  actionItemsCount: 0,
  books: [],
};
const says = (body: unknown): Behaviour => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('a board system that is asked', () => {
  let application: TestApplication;
  let closeDatabase: () => Promise<void>;
  let browser: Browser;
  beforeAll(async () => {
    const { database, close } = await openEmbeddedTestDatabase();
    closeDatabase = close;
    const settings = { BOARD_SYSTEM_URL: `${boards.url}/api/`, BOARD_SYSTEM_TOKEN: 'board-token' };
    application = await startApplication(database, { settings });
    browser = application.openBrowser();
    await signIn(browser);
  });
  afterAll(async () => {
    await application.close();
    await closeDatabase();
  });
  beforeEach(async () => {
    boards.behave(says(toDos));
    // a good answer ends what failed in a row before
    await ask();
    boards.requests.length = 0;
  });
  const ask = (site = 'harbor'): Promise<Answer> => browser.call(`/api/ui/sites/${site}/todo`);

  test('gets the site, the name it knows the person by, and its token; what it says is shown', async () => {
    const answer = await ask('Harbor');
    expect(answer.json()).toEqual(toDos);
    const [request] = boards.requests;
    const address = new URL(request?.path ?? '', boards.url);
    expect(address.pathname).toBe('/api/to-dos');
    expect(Object.fromEntries(address.searchParams)).toEqual({
      site: 'harbor',
      boardsUserName: secretary.userName,
    });
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer board-token',
      correlationid: answer.headers['x-correlation-id'],
    });
    expect(request?.headers).not.toHaveProperty('cookie');
  });

  test('that knows nothing of the person says 404, and nothing awaits them', async () => {
    boards.behave({ status: 404 });
    expect((await ask()).json()).toMatchObject({ pendingVoteCount: 0, books: [] });
  });

  test('S62: is never asked for a site that is not the person’s', async () => {
    for (const site of ['corp', 'atlantis', '..', '%2e%2e%2fadmin'])
      expect((await ask(site)).status).toBe(404);
    expect(boards.requests).toEqual([]);
  });

  const failures: [string, () => Behaviour][] = [
    ['fails', () => ({ status: 500 })],
    ['does not know our token', () => ({ status: 401 })],
    ['hangs up', () => 'reset'],
    ['answers no JSON', () => says('<html>')],
    ['answers something else', () => says({ pendingVoteCount: 'many' })],
    ['answers a negative count', () => says({ ...toDos, minutesCount: -1 })],
    ['answers without end', () => says({ ...toDos, padding: 'x'.repeat(300 * 1024) })],
    ['answers bytes that are no text', () => says('\uD800')],
    ['sends us elsewhere', () => ({ status: 302, headers: { location: `${boards.url}/elsewhere` } })],
  ];
  test.each(failures)(
    'one that %s: 502 for that call, and the list stays as it is',
    async (_what, behaviour) => {
      boards.behave(behaviour());
      const answer = await ask();
      expect([answer.status, answer.json()]).toEqual([502, { code: 'upstream_failed' }]);
      expect((await browser.call('/api/ui/sites')).status).toBe(200);
      boards.behave(says(toDos));
      expect((await ask()).status).toBe(200);
      expect(boards.requests.map(({ path }) => path)).not.toContain('/elsewhere');
    },
  );

  test('one that hangs is waited for 3 seconds', async () => {
    boards.behave('hang');
    const begun = performance.now();
    expect((await ask()).status).toBe(502);
    expect(performance.now() - begun).toBeGreaterThan(2_900);
  });

  test('nothing of the person stands in the log, whatever goes wrong', async () => {
    application.log.length = 0;
    for (const [, behaviour] of failures) {
      boards.behave(behaviour());
      await ask();
    }
    const log = JSON.stringify(application.log);
    expect(log).toContain('did not say');
    for (const secret of [secretary.userName, encodeURIComponent(secretary.userName), 'board-token'])
      expect(log).not.toContain(secret);
  });

  test('one that fails five times in a row is left alone, and whoever asks learns when to come back', async () => {
    boards.behave({ status: 503 });
    for (let failure = 0; failure < 5; failure += 1) await ask();
    boards.behave(says(toDos));
    const answer = await ask();
    expect([answer.status, answer.json()]).toEqual([502, { code: 'upstream_failed' }]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(boards.requests).toHaveLength(5);
  });
});

test('an answer that cannot be used is no reason to leave a board system alone', async () => {
  let nowMs = 0;
  const provider = createAskedToDos(
    { url: boards.url, token: undefined },
    createCircuitBreaker(undefined, () => nowMs),
  );
  const asked = {
    person: { id: 'p', boardsUserName: 'dana' },
    site: { id: 's', name: 'harbor' },
    correlationId: 'c',
    log: pino({ level: 'silent' }),
  };
  boards.requests.length = 0;
  boards.behave(says('<html>'));
  for (nowMs = 0; nowMs < 20; nowMs += 1) await provider.find(asked).catch(() => undefined);
  boards.behave(says(toDos));
  expect(await provider.find(asked)).toEqual(toDos);
  expect(boards.requests).toHaveLength(21);
});
