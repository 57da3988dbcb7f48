import type { Command } from 'commander';
import { parseEntry } from './fields.ts';
import type { Noun, Plan, Row } from './noun.ts';
import { RefusedError, collectProblems } from './problems.ts';
import { reportOutcome } from './report.ts';
import { save } from './save.ts';
import type { CommonOptions, World } from './world.ts';

/** `disable` and `enable`: one or more where one argument names one, else exactly one. */
export function addSwitchCommands<Entry, NounPlan extends Plan, Prepared>(
  parent: Command,
  world: World,
  noun: Noun<Entry, NounPlan, Prepared>,
  meaning: Readonly<Record<'disable' | 'enable', string>>,
): void {
  const mayBeMany = noun.keys.length === 1;
  for (const verb of ['disable', 'enable'] as const) {
    const command = parent.command(verb).description(meaning[verb]);
    for (const key of noun.keys)
      command.argument(mayBeMany ? `<${key}...>` : `<${key}>`, noun.fields[key].help);
    command.action(async (...given: unknown[]) => {
      const named = given.slice(0, noun.keys.length) as (string | string[])[];
      const options = given[noun.keys.length] as CommonOptions;
      const tuples = mayBeMany ? [...new Set(named.flat())].map((name) => [name]) : [named];
      const rows = tuples.map((tuple): Row<Entry> => {
        const values = Object.fromEntries(noun.keys.map((key, index) => [key, tuple[index]]));
        const { entry, problems } = parseEntry(noun.schema, {
          ...values,
          ...noun.disabledAs(verb === 'disable'),
        });
        if (entry === undefined) throw new RefusedError(problems ?? []);
        return { line: undefined, entry };
      });
      const problems = collectProblems();
      const outcome = await save(await world.open(), noun, rows, {
        update: true,
        add: false,
        dryRun: false,
        problems,
      });
      await reportOutcome(world, noun, outcome, options);
    });
  }
}
