import { afterAll, beforeAll, expect, test } from 'vitest';
import { portal, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import { startCollector } from '../../testing/collector.ts';
import type { Collector } from '../../testing/collector.ts';
import { openEmbeddedTestDatabase } from '../../testing/describe-store.ts';
import { secretary, sendPassword } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import type { Tracing } from '../lib/tracing.ts';
import { createStatementWatch } from '../store/statement-watch.ts';
import { startTracing } from './start-tracing.ts';

let collector: Collector;
let application: TestApplication;
let tracing: Tracing;
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

beforeAll(async () => {
  collector = await startCollector();
  tracing = startTracing({ endpoint: collector.endpoint, ratio: 1 });
  const statements = createStatementWatch();
  const { database, close } = await openEmbeddedTestDatabase(statements);
  application = await startApplication(database, { tracing, statements });
  return close;
});
afterAll(async () => {
  await application.close();
  collector.close();
});

test('a sign-in is one trace: the call within the caller’s span, its hash, its statements and its message, without secrets [S64]', async () => {
  const browser = application.openBrowser();
  const started = await beginSignIn(browser, portal);
  const director = { ...secretary, userName: 'director@demo.example' };
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, 'x-correlation-id': 'traced.1' };
  await browser.post('/api/ui/authenticate', { returnUrl: started.returnUrl, ...director }, headers);
  await sendPassword(browser, started, { ...secretary, password: 'marked wrong words' });
  await tracing.close();

  const spans = collector.spans();
  const call = spans.find((span) => span.traceId === traceId && span.parentSpanId === '00f067aa0ba902b7');
  expect(call?.name).toBe('POST /api/ui/authenticate');
  const attributes = Object.fromEntries(
    (call?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
  );
  expect(attributes).toMatchObject({
    'http.route': '/api/ui/authenticate',
    'http.response.status_code': 200,
    'anteroom.correlation_id': 'traced.1',
  });
  const names = spans.filter((span) => span.traceId === traceId).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['password hash', 'send sms', 'with sessions', 'with limits']),
  );
  const below = new Set(spans.filter((span) => span.traceId === traceId).map(({ spanId }) => spanId));
  for (const span of spans.filter((one) => one.traceId === traceId && one !== call))
    expect(below.has(span.parentSpanId ?? ''), span.name).toBe(true);

  expect(collector.text()).toContain('anteroom');
  const cookies = [...browser.cookies.values()].map(({ value }) => value);
  const secrets = [secretary.password, 'marked wrong words', 'director@demo.example', '+44', ...cookies];
  for (const secret of secrets) expect(collector.text()).not.toContain(secret);
});

test('an unreachable collector affects neither the traced work nor the shutdown', async () => {
  const away = startTracing({ endpoint: 'http://127.0.0.1:1', ratio: 1 });
  await expect(away.within('work', {}, () => Promise.resolve('done'))).resolves.toBe('done');
  await expect(away.within('work', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await away.close();
});
