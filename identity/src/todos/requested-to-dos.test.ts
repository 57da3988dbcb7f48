import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import { openTestDatabase } from '../../testing/describe-store.ts';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import type { Behaviour, FakeGateway } from '../../testing/fake-gateway.ts';
import { secretary, signIn } from '../../testing/journeys.ts';
import { createCircuitBreaker } from '../lib/circuit-breaker.ts';
import { createRequestedToDos } from './to-dos.ts';

// Attacks and faults, F08, for a board system that rejects, fails, hangs, sends invalid answers, or is unreachable.

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

describe('requests to a board system', () => {
  let application: TestApplication;
  let closeDatabase: () => Promise<void>;
  let browser: Browser;
  beforeAll(async () => {
    const { database, close } = await openTestDatabase();
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
    // A successful answer resets the count of consecutive failures.
    await ask();
    boards.requests.length = 0;
  });
  const ask = (site = 'harbor'): Promise<Answer> => browser.call(`/api/ui/sites/${site}/todo`);

  test('contain the site, the user’s name there and the token, and the answer is shown [I28]', async () => {
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

  test('return an empty summary when the board system answers 404 for an unknown user', async () => {
    boards.behave({ status: 404 });
    expect((await ask()).json()).toMatchObject({ pendingVoteCount: 0, books: [] });
  });

  test('are never sent for a site to which the user does not belong [S62]', async () => {
    for (const site of ['corp', 'atlantis', '..', '%2e%2e%2fadmin'])
      expect((await ask(site)).status).toBe(404);
    expect(boards.requests).toEqual([]);
  });

  const failures: [string, () => Behaviour][] = [
    ['fails', () => ({ status: 500 })],
    ['rejects the token', () => ({ status: 401 })],
    ['hangs up', () => 'reset'],
    ['sends invalid JSON', () => says('<html>')],
    ['sends a wrong type', () => says({ pendingVoteCount: 'many' })],
    ['sends a negative count', () => says({ ...toDos, minutesCount: -1 })],
    ['sends too long an answer', () => says({ ...toDos, padding: 'x'.repeat(300 * 1024) })],
    ['sends invalid UTF-8', () => says('\uD800')],
    ['redirects', () => ({ status: 302, headers: { location: `${boards.url}/elsewhere` } })],
  ];
  test.each(failures)(
    'a board system that %s: only this call gets 502, and the site list is unaffected [I28]',
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

  test('a board system that hangs is aborted after 3 seconds', async () => {
    boards.behave('hang');
    const begun = performance.now();
    expect((await ask()).status).toBe(502);
    expect(performance.now() - begun).toBeGreaterThan(2_900);
  });

  test('no personal data is logged, whatever the failure', async () => {
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
});

test('an unusable answer does not open the circuit', async () => {
  let nowMs = 0;
  const provider = createRequestedToDos(
    { url: boards.url, token: undefined },
    createCircuitBreaker(undefined, () => nowMs),
  );
  const query = {
    user: { id: 'p', boardsUserName: 'dana' },
    site: { id: 's', name: 'harbor' },
    correlationId: 'c',
    log: pino({ level: 'silent' }),
  };
  boards.requests.length = 0;
  boards.behave(says('<html>'));
  for (nowMs = 0; nowMs < 20; nowMs += 1) await provider.find(query).catch(() => undefined);
  boards.behave(says(toDos));
  expect(await provider.find(query)).toEqual(toDos);
  expect(boards.requests).toHaveLength(21);
});
