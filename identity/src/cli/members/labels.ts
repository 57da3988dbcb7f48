import { Option } from 'commander';
import type { Command } from 'commander';
import { signInNameKey } from '../../lib/sign-in-name.ts';
import { siteNameKey } from '../../sites/sites-store.ts';
import type { Database } from '../../store/schema.ts';
import { parseEntry } from '../fields.ts';
import { columns, csv, harmlessText, jsonLines } from '../listing/list-formats.ts';
import { noteOperatorEvents } from '../operator-notes.ts';
import { RefusedError } from '../problems.ts';
import type { CommonOptions, World } from '../world.ts';
import { memberEntry } from './member-entry.ts';
import { nameOf } from './save-members.ts';

// What an application calls a person's part in a site, where it has a word of its own for it: shown instead of the membership's label.

const labelFields = ['userName', 'site', 'client', 'label'] as const;

export function addLabelCommands(parent: Command, world: World): void {
  parent
    .command('label')
    .description("an application's own label beside a person's site; an empty text takes it away")
    .argument('<userName>', 'user name or e-mail of the person')
    .argument('<site>', 'name of the site')
    .argument('<client>', 'id of the application')
    .argument('<label>', 'the label')
    .action(async (userName: string, site: string, client: string, said: string, { json }: CommonOptions) => {
      const { database, clock } = await world.open();
      const label = parseLabel(userName, site, said);
      await database.transaction().execute(async (transaction) => {
        const ids = await requireMember(transaction, userName, site);
        await requireClient(transaction, client);
        await setLabel(transaction, { ...ids, clientId: client, label });
        const details = { noun: 'members', verb: 'label', name: nameOf({ userName, site }) };
        await noteOperatorEvents(transaction, clock.now(), [
          {
            event: 'operator.change',
            personId: ids.personId,
            clientId: client,
            site: siteNameKey(site),
            details,
          },
        ]);
      });
      const name = `${nameOf({ userName, site })} for ${client}`;
      const done = label === null ? 'label taken away' : 'label set';
      await world.terminal.print(
        json === true ? JSON.stringify({ name, label }) : `${harmlessText(name)}: ${done}`,
      );
    });
  parent
    .command('labels')
    .description("applications' own labels")
    .addOption(new Option('--client <id>', 'of this application'))
    .addOption(new Option('--csv', 'as CSV').conflicts('json'))
    .action(async ({ client, json, csv: asCsv }: CommonOptions & { client?: string; csv?: boolean }) => {
      const { database } = await world.open();
      const labels = await listLabels(database, client);
      const { heading, format } =
        json === true ? jsonLines : asCsv === true ? csv(labelFields) : columns(labelFields, labels);
      if (heading !== undefined) await world.terminal.print(heading);
      for (const label of labels) await world.terminal.print(format(label));
    });
}

/** @throws RefusedError for what a membership's label may not be either */
function parseLabel(userName: string, site: string, said: string): string | null {
  const { entry, problems } = parseEntry(memberEntry, { userName, site, clientEntitlement: said });
  if (entry === undefined) throw new RefusedError(problems ?? []);
  return entry.clientEntitlement ?? null;
}

async function requireMember(
  database: Database,
  userName: string,
  site: string,
): Promise<{ personId: string; siteId: string }> {
  const row = await database
    .selectFrom('memberships')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .innerJoin('sign_in_names', 'sign_in_names.person_id', 'memberships.person_id')
    .select(['memberships.person_id', 'memberships.site_id'])
    .where('sign_in_names.name_key', '=', signInNameKey(userName))
    .where('sites.name', '=', siteNameKey(site))
    .executeTakeFirst();
  if (row === undefined) throw new RefusedError([{ reason: `${userName} is no member of ${site}` }]);
  return { personId: row.person_id, siteId: row.site_id };
}

async function requireClient(database: Database, id: string): Promise<void> {
  const row = await database.selectFrom('clients').select('id').where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new RefusedError([{ reason: `there is no client ${id}` }]);
}

async function setLabel(
  database: Database,
  {
    personId,
    siteId,
    clientId,
    label,
  }: { personId: string; siteId: string; clientId: string; label: string | null },
): Promise<void> {
  if (label === null) {
    await database
      .deleteFrom('client_entitlements')
      .where('person_id', '=', personId)
      .where('site_id', '=', siteId)
      .where('client_id', '=', clientId)
      .execute();
    return;
  }
  await database
    .insertInto('client_entitlements')
    .values({ person_id: personId, site_id: siteId, client_id: clientId, label })
    .onConflict((conflict) => conflict.columns(['person_id', 'site_id', 'client_id']).doUpdateSet({ label }))
    .execute();
}

async function listLabels(database: Database, client: string | undefined) {
  return await database
    .selectFrom('client_entitlements')
    .innerJoin('people', 'people.id', 'client_entitlements.person_id')
    .innerJoin('sites', 'sites.id', 'client_entitlements.site_id')
    .select(['people.user_name as userName', 'sites.name as site', 'client_id as client', 'label'])
    .$if(client !== undefined, (query) => query.where('client_id', '=', client ?? ''))
    .orderBy('people.user_name')
    .orderBy('sites.name')
    .orderBy('client_id')
    .execute();
}
