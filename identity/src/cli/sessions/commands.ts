import type { Command } from 'commander';
import { findPersonByName } from '../../users/users-store.ts';
import { siteNameKey } from '../../sites/sites-store.ts';
import { columns, csv, jsonLines } from '../listing/list-formats.ts';
import { RefusedError, UsageError } from '../problems.ts';
import type { Workbench } from '../workbench.ts';
import type { CommonOptions, World } from '../world.ts';
import { endEverything } from './end-everything.ts';
import { endSessions } from '../../openid/end-sessions.ts';
import type { EndedSession, MeantSessions } from '../../openid/end-sessions.ts';
import { noteEnded } from './note-ended.ts';
import { findSessionByPrefix, listSessions, sessionFields } from './present-sessions.ts';

type EndOptions = CommonOptions & { person?: string; site?: string; dryRun?: boolean };

export function addSessionCommands(parent: Command, world: World): void {
  parent
    .command('list')
    .description('who is signed in now: of one person, or at one site')
    .option('--person <userName>', 'of this person (user name or e-mail)')
    .option('--site <site>', 'at this site')
    .option('--csv', 'as CSV')
    .action(async (options: CommonOptions & { person?: string; site?: string; csv?: boolean }) => {
      const bench = await world.open();
      const personId =
        options.person === undefined ? undefined : await requirePersonId(bench, options.person);
      const found = await listSessions(bench, {
        personId,
        site: options.site === undefined ? undefined : siteNameKey(options.site),
      });
      const { heading, format } =
        options.json === true
          ? jsonLines
          : options.csv === true
            ? csv(sessionFields)
            : columns(sessionFields, found);
      if (heading !== undefined) await world.terminal.print(heading);
      for (const session of found) await world.terminal.print(format(session));
    });
  parent
    .command('end')
    .description('end sessions at once, on every node; applications that are told of sign-outs are told')
    .argument('[session]', 'one of them, as `list` names it (its beginning will do)')
    .option('--person <userName>', 'all of this person')
    .option('--site <site>', 'all at this site')
    .option('--dry-run', 'say how many would be ended, and end none')
    .action(async (session: string | undefined, options: EndOptions) => {
      const bench = await world.open();
      const ended = await endMeant(bench, await findMeant(bench, session, options), options.dryRun === true);
      const count = ended.length;
      if (options.json === true) {
        await world.terminal.print(JSON.stringify({ ended: count, dryRun: options.dryRun === true }));
        return;
      }
      const done = options.dryRun === true ? 'would be ended (a dry run: none was)' : 'ended';
      await world.terminal.print(`${count} ${count === 1 ? 'session' : 'sessions'} ${done}`);
    });
  parent
    .command('end-everything')
    .description(
      'after a backup was restored: end every session and take away every token, code and link, because what was used up since works again',
    )
    .action(async (options: CommonOptions) => {
      const ended = await endEverything(await world.open());
      await world.terminal.print(
        options.json === true
          ? JSON.stringify({ ended })
          : `everything has ended, ${ended} sessions among it`,
      );
    });
}

/** @throws UsageError unless exactly one of the three is said */
async function findMeant(
  bench: Workbench,
  session: string | undefined,
  { person, site }: EndOptions,
): Promise<MeantSessions> {
  const said = [session, person, site].filter((value) => value !== undefined);
  if (said.length !== 1) throw new UsageError('say one of <session>, --person and --site');
  if (person !== undefined) return { personId: await requirePersonId(bench, person) };
  if (site !== undefined) return { site: await requireSite(bench, site) };
  return { idHashes: [await findSessionByPrefix(bench, session ?? '')] };
}

/** In one transaction with what is noted of it; a dry run is rolled back. */
async function endMeant(bench: Workbench, meant: MeantSessions, isDryRun: boolean): Promise<EndedSession[]> {
  const { database, clock } = bench;
  const dryRun = new DryRun();
  let ended: EndedSession[] = [];
  try {
    await database.transaction().execute(async (transaction) => {
      ended = await endSessions(transaction, meant, clock.now());
      await noteEnded(transaction, clock.now(), ended);
      if (isDryRun) throw dryRun;
    });
  } catch (error) {
    if (error !== dryRun) throw error;
  }
  if (!isDryRun) await bench.tellApplications();
  return ended;
}

/** Takes a transaction back that has gone well. */
class DryRun extends Error {}

async function requirePersonId({ database }: Workbench, name: string): Promise<string> {
  const person = await findPersonByName(database, name);
  if (person === undefined) throw new RefusedError([{ reason: `there is no person ${name}` }]);
  return person.id;
}

/** A disabled one too. */
async function requireSite({ database }: Workbench, name: string): Promise<string> {
  const row = await database
    .selectFrom('sites')
    .select('name')
    .where('name', '=', siteNameKey(name))
    .executeTakeFirst();
  if (row === undefined) throw new RefusedError([{ reason: `there is no site ${name}` }]);
  return row.name;
}
