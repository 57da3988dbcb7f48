import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** The wall-clock time (`dur`) and the CPU time (`tdur`), in microseconds. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** The longest task by wall-clock time, which a visitor notices, and by CPU time, which other work on the machine does not affect. */
export interface LongestTask {
  wallMs: number;
  processorMs: number;
}

/**
 * Finds the longest task of the page's main thread while `work` runs. Uses the browser's trace, because a
 * PerformanceObserver reports only tasks over 50 ms.
 */
export async function findLongestTask(
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
): Promise<LongestTask> {
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await work();
  const trace = await browser.stopTracing();
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: TraceEvent[] };
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}:${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && mainThreads.has(`${pid}:${tid}`),
  );
  if (tasks.length === 0) throw new Error('The trace has no task of the page.');
  const longest = (lasted: (task: TraceEvent) => number | undefined): number =>
    tasks.reduce((most, task) => Math.max(most, (lasted(task) ?? 0) / 1000), 0);
  return { wallMs: longest(({ dur }) => dur), processorMs: longest(({ tdur }) => tdur) };
}
