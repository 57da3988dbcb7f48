import type { Tables } from '../../store/schema.ts';
import type { Workbench } from '../workbench.ts';

/**
 * What is open and what works once. Not among them: what says that something has been used already (assertions, tokens of other regions), and
 * how often somebody has failed.
 */
const openThings = [
  'openid_records',
  'sign_ins',
  'sign_outs',
  'one_time_codes',
  'password_links',
  'refusal_links',
  'remembered_devices',
  'external_requests',
  'external_sessions',
  'region_departures',
  'region_arrivals',
  'sessions',
] as const satisfies readonly (keyof Tables)[];

/**
 * Ends every session, and takes away every token, code, link and trip. For a database that was restored: what was used, revoked or signed out
 * of after the backup was made is as good as new in it (attacks and faults, F12). Answers how many sessions there were.
 */
export async function endEverything({ database, clock }: Workbench): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const { live } = await transaction
      .selectFrom('sessions')
      .select((select) => select.fn.countAll<string>().as('live'))
      .where('person_id', 'is not', null)
      .where('ended_at', 'is', null)
      .where('absolute_expires_at', '>', clock.now())
      .executeTakeFirstOrThrow();
    for (const table of openThings) await transaction.deleteFrom(table).execute();
    return Number(live);
  });
}
