import { harmlessText } from './listing/list-formats.ts';
import type { Outcome } from './noun.ts';
import type { RefusedError } from './problems.ts';
import type { CommonOptions, World } from './world.ts';

/** Says what was done, or with a dry run would be: every name of it then. */
export async function reportOutcome(
  { terminal }: World,
  noun: { singular: string; name: string },
  { added, changed, left }: Outcome,
  { json, dryRun = false }: CommonOptions & { dryRun?: boolean },
): Promise<void> {
  if (json === true) {
    await terminal.print(JSON.stringify({ added, changed, left, dryRun }));
    return;
  }
  const isOne = added.length + changed.length + left.length === 1;
  if (dryRun || isOne) {
    const [add, change, leave] = dryRun ? ['add', 'change', 'leave'] : ['added', 'changed', 'left as it is'];
    for (const name of added) await terminal.print(`${add} ${harmlessText(name)}`);
    for (const { name, changes } of changed)
      await terminal.print(`${change} ${harmlessText(name)}: ${describeChanges(changes)}`);
    for (const name of left) await terminal.print(`${leave} ${harmlessText(name)}`);
  }
  const counts = `${added.length} added, ${changed.length} changed, ${left.length} left as they are`;
  if (dryRun) await terminal.print(`${noun.name}: ${counts} (a dry run: nothing was written)`);
  else if (!isOne) await terminal.print(`${noun.name}: ${counts}`);
}

function describeChanges(changes: Outcome['changed'][number]['changes']): string {
  return Object.entries(changes)
    .map(([field, { from, to }]) => `${field} ${say(from)} → ${say(to)}`)
    .join(', ');
}

function say(value: unknown): string {
  return value === null || value === undefined ? 'none' : harmlessText(JSON.stringify(value));
}

/** Every reason with its line and field; to a program as JSON, a line each. */
export function reportRefusal(
  terminal: World['terminal'],
  { problems, count }: RefusedError,
  { json }: CommonOptions,
): void {
  if (json === true) {
    for (const problem of problems) terminal.note(JSON.stringify(problem));
    terminal.note(JSON.stringify({ problems: count, told: problems.length }));
    return;
  }
  for (const { line, column, reason } of problems) {
    const where = [
      ...(line === undefined ? [] : [`line ${line}`]),
      ...(column === undefined ? [] : [column]),
    ];
    const said = where.length === 0 ? reason : `${where.join(', ')}: ${reason}`;
    terminal.note(harmlessText(said));
  }
  if (count > problems.length) terminal.note(`… and ${count - problems.length} more problems.`);
  if (count > 1) terminal.note(`${count} problems: nothing was written.`);
}
