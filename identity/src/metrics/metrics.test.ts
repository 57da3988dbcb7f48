import { metricDataMaximumCount } from '@anteroom/contract';
import { expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { createMetrics } from './create-metrics.ts';

const application = useApplication();
const at = '2026-01-15T09:00:00.000Z';

async function report(metricData: unknown) {
  const browser = application().openBrowser();
  await beginSignIn(browser, portal);
  const { status, text } = await browser.post('/api/ui/metrics', { metricData });
  return { status, text };
}

test('what a front end reports is received without a word', async () => {
  expect(
    await report([
      { name: 'boot', value: 812, at },
      { name: 'todo-click', at, data: { type: 'vote', count: 3 } },
    ]),
  ).toEqual({
    status: 204,
    text: '',
  });
  const text = await application().services.metrics.registry.metrics();
  expect(text).toMatch(/anteroom_front_end_reports_total\{name="boot"\} 1/);
});

test.each<[string, unknown]>([
  ['too many at once', Array.from({ length: metricDataMaximumCount + 1 }, () => ({ name: 'boot', at }))],
  ['a name that is none', [{ name: '<img>', at }]],
  ['a time that is none', [{ name: 'boot', at: 'now' }]],
  ['nested data', [{ name: 'boot', at, data: { a: { b: 1 } } }]],
  ['no list', 'boot'],
])('%s is refused', async (_what, metricData) => {
  expect((await report(metricData)).status).toBe(400);
});

test('names that nobody knows are counted together, so that the memory stays bounded', async () => {
  const metrics = createMetrics();
  metrics.receive(Array.from({ length: 1000 }, (_, index) => ({ name: `invented${index}`, at })));
  const text = await metrics.registry.metrics();
  expect(text).toMatch(/anteroom_front_end_reports_total\{name="other"\} 1000/);
  expect(text).not.toContain('invented');
});
