import type { GenericSchema } from 'valibot';
import type { AuditEvent } from '../audit/audit.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import type { EntrySchema } from './fields.ts';
import type { Problems } from './problems.ts';
import type { Workbench } from './workbench.ts';

// What the commands have to know of a thing that they manage. One folder for each noun says it; `add`, `import` and `list`
// are the same for all of them.

export type Field = {
  kind: 'text' | 'number' | 'flag';
  help: string;
  /** Something new cannot do without it, a change can. */
  neededForNew?: boolean;
  /** It comes from a file and has no option of its own. */
  fromFile?: boolean;
};

/** An entry and the line of the file that it stood in. */
export type Row<Entry> = { line: number | undefined; entry: Entry };

/** What is, or would be, done: names, and for changes what differs. */
export type Outcome = {
  added: string[];
  changed: { name: string; changes: Record<string, { from: unknown; to: unknown }> }[];
  left: string[];
  /** Whom and what the audit log names for an entry, by the entry's name. */
  concerns: Map<string, Concern>;
};

export type Concern = Pick<AuditEvent, 'personId' | 'site' | 'clientId' | 'connection'>;

export type Plan = { outcome: Outcome };

export type PlanOptions = {
  /** What is there already may be changed; otherwise it is a problem. */
  update: boolean;
  /** What is not there is added; otherwise it is a problem. */
  add: boolean;
  problems: Problems;
};

/** `onWritten` is waited for between batches, so that a bar is drawn: the embedded database works on this very thread. */
export type WriteOptions = { now: Date; onWritten: (count: number) => Promise<void> };

/** What a noun's entries are. */
export type NounDescription<Entry> = {
  name: string;
  singular: string;
  summary: string;
  /** The fields that say which one is meant, in the order of the command's arguments. */
  keys: readonly (keyof Entry & string)[];
  fields: Readonly<Record<keyof Entry & string, Field>>;
  schema: EntrySchema<Entry>;
  /** A field's own schema, for a question on the terminal. */
  fieldSchemas: Readonly<Record<string, GenericSchema>>;
  /** What must not come twice in one file. */
  uniqueIn: (entry: Entry) => { column: string; key: string }[];
  /** What "disabled" and "enabled" mean. */
  disabledAs: (isDisabled: boolean) => Partial<Entry>;
  /** How a list may be narrowed; `after` and `limit` are every list's. */
  filters: Readonly<Record<string, { flags: string; help: string }>>;
  /** What a list for people shows, where all fields would be too wide; `--json` and `--csv` have all of them. */
  columns?: readonly (keyof Entry & string)[];
  /** In the order of the keys; `after` one whose first key has that value. */
  list: (database: Database, filters: Filters) => AsyncGenerator<Entry>;
};

/** And how they are kept. */
export type Noun<Entry, NounPlan extends Plan, Prepared> = NounDescription<Entry> & {
  /** Looks at what is there; writes nothing. */
  plan: (
    transaction: DatabaseTransaction,
    rows: readonly Row<Entry>[],
    options: PlanOptions,
  ) => Promise<NounPlan>;
  /** What takes long, or needs the database, before the transaction. */
  prepare: (bench: Workbench) => Promise<Prepared>;
  write: (
    transaction: DatabaseTransaction,
    plan: NounPlan,
    prepared: Prepared,
    options: WriteOptions,
  ) => Promise<void>;
  /** What waits until all of it is written for good. */
  afterwards?: (bench: Workbench, prepared: Prepared) => Promise<void>;
};

/** What was said of a list's filters, by their names. */
export type Filters = Readonly<Record<string, string | boolean | undefined>>;
