import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../lib/log.ts';
import type { Config } from '../config/config.ts';
import type { Readiness } from '../http/health.ts';
import { entriesOf } from '../keys/keys-in-use.ts';
import type { NodeReport, NodeReports } from '../keys/nodes.ts';
import type { Clock } from '../lib/clock.ts';
import type { KeyIds } from '../lib/keys.ts';
import { explainDatabaseProblem } from './start-problems.ts';
import { isPoolBusy } from '../store/unavailable.ts';

/** Why a node cannot serve visitors, or a warning about a problem that an operator should fix. */
export type ReadinessFinding = {
  check: 'stopping' | 'database' | 'keys' | 'clock' | 'front-end' | 'proxies';
  reason: string;
};

/** Only for operators: the reasons contain addresses and key names. */
export type ReadinessReport = {
  ready: boolean;
  problems: readonly ReadinessFinding[];
  warnings: readonly ReadinessFinding[];
  checkedAt: Date;
};

/** How long the result of a check is reused. */
const freshMs = 1_000;
/** Tokens carry the machine's time, and applications tolerate about a minute. */
const clockToleranceMs = 60_000;

/**
 * Reports whether this node can serve visitors. The check commits a change, because a database that can be read might
 * not be writable. A ready node waits for the result of a due check. A node that is not ready reports its last result at
 * once, until a check passes.
 */
export function createReadinessChecks({
  config,
  readiness,
  clock,
  log,
  report,
  keyIds,
  servesFrontEnd,
  listUntrustedForwarders,
}: {
  config: Pick<Config, 'webDist'>;
  readiness: Pick<Readiness, 'isStopping'>;
  clock: Clock;
  log: Log;
  report: NodeReports['report'];
  keyIds: KeyIds;
  /** Whether the front end existed at start-up, when its routes are registered. */
  servesFrontEnd: boolean;
  /** Addresses that recently sent X-Forwarded-For without being a trusted proxy. */
  listUntrustedForwarders: () => readonly string[];
}): () => Promise<ReadinessReport> {
  let last: { problems: ReadinessFinding[]; checkedAt: Date } | undefined;
  let checking: Promise<{ problems: ReadinessFinding[]; checkedAt: Date }> | undefined;

  function findFrontEndProblems(): ReadinessFinding[] {
    const { webDist } = config;
    if (webDist === undefined || (servesFrontEnd && existsSync(join(webDist, 'index.html')))) return [];
    const reason = `There is no built front end in ${webDist}: run npm run build and restart, or set WEB_DIST=none where another server serves it`;
    return [{ check: 'front-end', reason }];
  }

  async function check(): Promise<{ problems: ReadinessFinding[]; checkedAt: Date }> {
    const problems: ReadinessFinding[] = [];
    try {
      const answer = await report();
      problems.push(...findKeyProblems(answer, keyIds), ...findClockProblems(answer));
    } catch (error) {
      // All connections are in use, which does not mean that the database is unavailable.
      if (isPoolBusy(error) && last !== undefined) return { ...last, checkedAt: clock.now() };
      problems.push({ check: 'database', reason: explainDatabaseProblem(error) });
    }
    problems.push(...findFrontEndProblems());
    if (problems.length > 0 && isNews(problems)) log.warn({ problems }, 'not ready');
    else if (problems.length === 0 && last !== undefined && last.problems.length > 0) log.info('ready again');
    return { problems, checkedAt: clock.now() };
  }

  function isNews(problems: readonly ReadinessFinding[]): boolean {
    const textOf = (findings: readonly ReadinessFinding[]) =>
      JSON.stringify(findings.map((one) => one.check));
    return textOf(problems) !== textOf(last?.problems ?? []);
  }

  async function findLatest(): Promise<{ problems: ReadinessFinding[]; checkedAt: Date }> {
    const ageMs = clock.now().getTime() - (last?.checkedAt.getTime() ?? 0);
    if (last !== undefined && Math.abs(ageMs) < freshMs) return last;
    checking ??= check().then((result) => {
      checking = undefined;
      return (last = result);
    });
    return last !== undefined && last.problems.length > 0 ? last : await checking;
  }

  return async () => {
    const { problems: found, checkedAt } = readiness.isStopping()
      ? { problems: [{ check: 'stopping' as const, reason: 'The node shuts down' }], checkedAt: clock.now() }
      : await findLatest();
    const warnings = listUntrustedForwarders().map((address) => ({
      check: 'proxies' as const,
      reason: `X-Forwarded-For from ${address} was ignored: add it to TRUSTED_PROXIES if it is a proxy of yours, or all its visitors share one limit`,
    }));
    return { ready: found.length === 0, problems: found, warnings, checkedAt };
  };
}

function findKeyProblems({ keysInUse }: NodeReport, keyIds: KeyIds): ReadinessFinding[] {
  return entriesOf(keyIds)
    .filter(([setting, known]) => {
      const used = keysInUse[setting];
      return used !== undefined && !known.includes(used);
    })
    .map(([setting]) => ({
      check: 'keys',
      reason: `${setting}: the key in use (${keysInUse[setting]}) is not among its values: give this node the value of the other nodes and restart it`,
    }));
}

function findClockProblems({ databaseTime }: NodeReport): ReadinessFinding[] {
  const aheadMs = Date.now() - databaseTime.getTime();
  if (Math.abs(aheadMs) < clockToleranceMs) return [];
  const reason = `The clock of this machine is ${Math.round(aheadMs / 1000)} s ahead of the database's (negative: behind): set both by NTP`;
  return [{ check: 'clock', reason }];
}
