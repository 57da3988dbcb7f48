import { sql } from 'kysely';
import type { Noun, Outcome, Plan, PlanOptions, Row, WriteOptions } from './noun.ts';
import { noteOutcome } from './operator-notes.ts';
import { RefusedError } from './problems.ts';
import type { Workbench } from './workbench.ts';

/** Any number will do that nobody else uses: one command writes at a time, so that two of them make no circle of sites. */
const commandLock = 7_405_120_314;

export type SaveOptions = PlanOptions & {
  /** Looks and writes nothing. */
  dryRun: boolean;
  onWritten?: WriteOptions['onWritten'];
};

/**
 * Writes all of it or nothing, in one transaction: what is there is looked at, every problem is told, and only then is the
 * first row written.
 * @throws RefusedError with the problems, those that were there before included
 */
export async function save<Entry, NounPlan extends Plan, Prepared>(
  bench: Workbench,
  noun: Noun<Entry, NounPlan, Prepared>,
  rows: readonly Row<Entry>[],
  { dryRun, onWritten = () => Promise.resolve(), ...options }: SaveOptions,
): Promise<Outcome> {
  const mayWrite = !dryRun && !options.problems.areAny();
  const prepared = mayWrite ? await noun.prepare(bench) : undefined;
  try {
    const outcome = await bench.database.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${commandLock})`.execute(transaction);
      const plan = await noun.plan(transaction, rows, options);
      options.problems.refuseIfAny();
      if (prepared !== undefined) {
        const now = bench.clock.now();
        await noun.write(transaction, plan, prepared, { now, onWritten });
        await noteOutcome(transaction, now, noun.name, plan.outcome);
      }
      return plan.outcome;
    });
    if (prepared !== undefined) await noun.afterwards?.(bench, prepared);
    return outcome;
  } catch (error) {
    throw isOvertaken(error)
      ? new RefusedError([{ reason: 'somebody else has changed the same at this moment: run this again' }])
      : error;
  }
}

/** SQLSTATE: unique violation, foreign key violation, serialisation failure, deadlock. */
const overtaken = new Set(['23505', '23503', '40001', '40P01']);

function isOvertaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && overtaken.has(String(error.code));
}
