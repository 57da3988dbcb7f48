import { findChanges } from './fields.ts';
import type { Outcome, PlanOptions, Row } from './noun.ts';

/** What is to be written: `present` is what is there of it, undefined for something new. */
export type EntryToWrite<Entry, Present> = { present: Present | undefined; entry: Required<Entry> };

/**
 * The plan of a noun whose entries stand alone, each named by one field.
 * @param blank something new of which no more than its name is said
 * @param findFaults what is wrong with an entry as it would be kept, by field
 */
export function planEntries<
  Entry extends Record<string, unknown>,
  Present extends { entry: Required<Entry> },
>(
  rows: readonly Row<Entry>[],
  {
    singular,
    key,
    blank,
    needed,
  }: {
    singular: string;
    key: keyof Entry & string;
    blank: Required<Entry>;
    /** Fields that something new cannot do without. */
    needed: readonly (keyof Entry & string)[];
  },
  present: ReadonlyMap<string, Present>,
  findFaults: (
    entry: Required<Entry>,
    line: number | undefined,
  ) => readonly { column: string; reason: string }[],
  { update, add, problems }: PlanOptions,
): { outcome: Outcome; entries: EntryToWrite<Entry, Present>[] } {
  const outcome: Outcome = { added: [], changed: [], left: [], concerns: new Map() };
  const entries: EntryToWrite<Entry, Present>[] = [];
  for (const { line, entry } of rows) {
    const name = String(entry[key]);
    const known = present.get(name);
    const changes = known && findChanges(known.entry, entry, [key]);
    if (known === undefined && !add) {
      problems.add({ line, column: key, reason: `there is no ${singular} ${name}` });
      continue;
    }
    if (known !== undefined && changes !== undefined && Object.keys(changes).length === 0) {
      outcome.left.push(name);
      continue;
    }
    if (known !== undefined && !update) {
      problems.add({
        line,
        column: key,
        reason: `there is a ${singular} ${name} already (--update changes it)`,
      });
      continue;
    }
    const merged = { ...(known?.entry ?? blank), ...saidOf(entry) } as Required<Entry>;
    const missing = needed.filter((field) => known === undefined && entry[field] === undefined);
    for (const field of missing)
      problems.add({ line, column: field, reason: `is needed for a new ${singular}` });
    if (missing.length === 0) for (const fault of findFaults(merged, line)) problems.add({ line, ...fault });
    if (changes === undefined) outcome.added.push(name);
    else outcome.changed.push({ name, changes });
    entries.push({ present: known, entry: merged });
  }
  return { outcome, entries };
}

function saidOf(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}
