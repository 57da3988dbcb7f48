import { metricDataMaximumCount } from '@anteroom/contract';
import { expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import { secretary, sendPassword } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { createMetrics } from './metrics.ts';
import { metricDefinitions } from './metric-definitions.ts';

import manifest from '../../../package.json' with { type: 'json' };

const application = useApplication();

/** Creates all metrics, including those that the service registers later, once their source exists. */
function createEveryMetric(options?: { processMetrics: boolean }) {
  const metrics = createMetrics(options);
  metrics.setBuild({ version: '1.0.0', commit: 'unknown', node: 'v24.0.0', database: 'embedded' });
  metrics.watchConnections(() => ({ open: 0, idle: 0, waiting: 0 }));
  metrics.watchCodeBudgets({ all: 0, range: 0 }, () => Promise.resolve({ all: 0, range: 0 }));
  metrics.watchCertificates(() => Promise.resolve([]));
  metrics.watchLostLogLines(() => 0);
  return metrics;
}
const at = '2026-01-15T09:00:00.000Z';

async function report(metricData: unknown) {
  const browser = application().openBrowser();
  await beginSignIn(browser, portal);
  const { status, text } = await browser.post('/api/ui/metrics', { metricData });
  return { status, text };
}

test('reports of a front end are counted and answered with 204 [I33]', async () => {
  expect(
    await report([
      { name: 'text-missing', at, data: { what: 'locale' } },
      { name: 'todo-click', value: 3, at, data: { type: 'vote', site: 'harbor' } },
    ]),
  ).toEqual({
    status: 204,
    text: '',
  });
  const text = await application().services.metrics.registry.metrics();
  expect(text).toMatch(/anteroom_front_end_reports_total\{name="text-missing"\} 1/);
  expect(text).toMatch(/anteroom_front_end_reports_total\{name="todo-click"\} 1/);
});

test.each<[string, unknown]>([
  [
    'too many at once',
    Array.from({ length: metricDataMaximumCount + 1 }, () => ({ name: 'text-missing', at })),
  ],
  ['an invalid name', [{ name: '<img>', at }]],
  ['an invalid time', [{ name: 'text-missing', at: 'now' }]],
  ['nested data', [{ name: 'text-missing', at, data: { a: { b: 1 } } }]],
  ['no list', 'boot'],
])('%s is refused', async (_what, metricData) => {
  expect((await report(metricData)).status).toBe(400);
});

test('unknown names are counted together, so that the memory use is bounded', async () => {
  const metrics = createMetrics();
  metrics.receive(Array.from({ length: 1000 }, (_, index) => ({ name: `invented${index}`, at })));
  const text = await metrics.registry.metrics();
  expect(text).toMatch(/anteroom_front_end_reports_total\{name="other"\} 1000/);
  expect(text).not.toContain('invented');
});

test('requests are counted by call or route, never by URL', async () => {
  const browser = application().openBrowser();
  await beginSignIn(browser, portal);
  await browser.visit('/connect/authorize/an-id-of-nobody?state=in-the-address');
  await browser.visit('/nowhere/at/all');
  const text = await application().services.metrics.registry.metrics();
  for (const call of ['getAuthContext', 'GET /connect/authorize', 'GET /connect/authorize/:uid', 'GET none'])
    expect(text).toContain(`anteroom_request_seconds_count{call="${call}"`);
  expect(text).not.toMatch(/an-id-of-nobody|in-the-address|nowhere/);
});

test('audit events are counted by event and result, and sign-ins by result', async () => {
  const browser = application().openBrowser();
  const started = await beginSignIn(browser, portal);
  await sendPassword(browser, started, { ...secretary, password: 'wrong words' });
  await sendPassword(browser, started);
  const text = await application().services.metrics.registry.metrics();
  for (const [event, result] of [
    ['password.check', 'failure'],
    ['password.check', 'success'],
    ['sign-in.finish', 'success'],
  ])
    expect(text).toContain(`anteroom_authentication_events_total{event="${event}",result="${result}"} 1`);
});

test('statements are counted by operation and table, connections by state', async () => {
  const metrics = createMetrics();
  metrics.observeStatement({
    sql: 'select "id" from "users" where "id" = $1',
    durationMs: 2,
    failed: false,
  });
  metrics.observeStatement({
    sql: '\n with address as (insert into limits (key)) select 1',
    durationMs: 2,
    failed: true,
  });
  metrics.observeStatement({ sql: 'vacuum', durationMs: 2, failed: false });
  metrics.watchConnections(() => ({ open: 3, idle: 1, waiting: 7 }));
  const text = await metrics.registry.metrics();
  const count = 'anteroom_database_statement_seconds_count';
  expect(text).toContain(`${count}{operation="select",table="users",outcome="done"} 1`);
  expect(text).toContain(`${count}{operation="with",table="limits",outcome="failed"} 1`);
  expect(text).toContain(`${count}{operation="other",table="none",outcome="done"} 1`);
  expect(text).toContain('anteroom_database_connections{state="waiting"} 7');
});

test('exactly the defined metrics are registered, with their types and help texts', () => {
  const registered = createEveryMetric().registry.getMetricsAsArray();
  expect(
    Object.fromEntries(registered.map(({ name, type, help }) => [name, { type: String(type), help }])),
  ).toEqual(
    Object.fromEntries(
      Object.entries(metricDefinitions).map(([name, { type, help }]) => [name, { type, help }]),
    ),
  );
});

test('the build is a gauge with the value 1 and labels for release, Node and database', async () => {
  const text = await application().services.metrics.registry.metrics();
  expect(text).toContain(
    `anteroom_build_info{version="${manifest.version}",commit="unknown",node="${process.version}",database="embedded"} 1`,
  );
});

test('the number of lost log lines is read at each scrape', async () => {
  const metrics = createMetrics();
  let lost = 3;
  metrics.watchLostLogLines(() => lost);
  expect(await metrics.registry.metrics()).toMatch(/^anteroom_log_lines_lost_total 3$/m);
  lost = 5;
  expect(await metrics.registry.metrics()).toMatch(/^anteroom_log_lines_lost_total 5$/m);
});

test('the budgets of code messages are read at each scrape, and omitted while the database is unavailable', async () => {
  const metrics = createMetrics();
  let isAway = false;
  metrics.watchCodeBudgets({ all: 10, range: 5 }, () =>
    isAway ? Promise.reject(new Error('away')) : Promise.resolve({ all: 4, range: 1 }),
  );
  const used = 'anteroom_code_messages_last_hour{scope="all"} 4';
  expect(await metrics.registry.metrics()).toContain(used);
  expect(await metrics.registry.metrics()).toContain('anteroom_code_messages_budget{scope="all"} 10');
  isAway = true;
  expect(await metrics.registry.metrics()).not.toContain(used);
});

test('every metric follows the rules of promtool: only counters end in _total, and each has a help text', () => {
  const all = createEveryMetric({ processMetrics: true }).registry.getMetricsAsArray();
  expect(all.map(({ name }) => name)).toContain('nodejs_active_handles');
  for (const { name, type, help } of all) {
    expect(name.endsWith('_total'), name).toBe(String(type) === 'counter');
    expect(name).toMatch(/^[a-z][a-z0-9_]*(?<!_count|_sum|_bucket)$/);
    expect(help, name).not.toBe('');
  }
});
