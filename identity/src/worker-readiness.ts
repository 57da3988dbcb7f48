import type { ReadinessFinding, ReadinessReport } from './readiness.ts';
import type { WorkerProcess } from './worker-process.ts';

/**
 * The readiness of a node is that of its worst worker: each worker gets its part of the visitors, so one that cannot
 * serve them fails their sign-ins. A worker that does not listen gets no visitors and is a warning only, as long as
 * another one listens.
 */
export async function reportReadiness(
  workers: readonly Pick<WorkerProcess, 'number' | 'isListening' | 'ask'>[],
  count: number,
): Promise<ReadinessReport> {
  const listening = workers.filter((worker) => worker.isListening());
  const reports = await Promise.all(
    listening.map(async (worker) => (await worker.ask('readiness')) ?? unanswered(worker.number)),
  );
  const serving = new Set(listening.map(({ number }) => number)).size;
  const tooFew: ReadinessFinding = {
    check: 'workers',
    reason: `${serving} of ${count} workers serve visitors; the log says why the others ended`,
  };
  const problems = unique(reports.flatMap((report) => report.problems));
  if (serving === 0) problems.push(tooFew);
  const warnings = unique(reports.flatMap((report) => report.warnings));
  if (serving > 0 && serving < count) warnings.push(tooFew);
  const checkedMs = reports.map(({ checkedAt }) => checkedAt.getTime());
  return {
    ready: problems.length === 0,
    problems,
    warnings,
    checkedAt: new Date(Math.min(Date.now(), ...checkedMs)),
  };
}

function unanswered(number: number): ReadinessReport {
  const problems = [{ check: 'workers' as const, reason: `Worker ${number} does not answer` }];
  return { ready: false, problems, warnings: [], checkedAt: new Date() };
}

function unique(findings: readonly ReadinessFinding[]): ReadinessFinding[] {
  return [...new Map(findings.map((one) => [`${one.check} ${one.reason}`, one])).values()];
}
