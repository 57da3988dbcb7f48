import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { distance } from 'fastest-levenshtein';
import { sql } from 'kysely';
import * as v from 'valibot';
import type { Database, DatabaseTransaction, Tables } from '../store/schema.ts';
import { pageThrough } from './batches.ts';
import { inTurn, runInTransaction } from './admin-context.ts';
import type { AdminContext } from './admin-context.ts';
import { namesOfShown } from './fields.ts';
import type { Fields, Stored } from './fields.ts';
import { recordChange, recordOperation } from './operator-events.ts';
import type { AuditTarget } from './operator-events.ts';
import { permit } from './actor.ts';
import type { Operation, Scope } from './permissions.ts';
import { RefusedError } from './problems.ts';
import type { Problem, Problems } from './problems.ts';

// A resource is one kind of data that operators manage, such as sites or users. It defines its fields, queries and
// validation; listing, showing, saving and removing are the same for all resources (decision 039). This layer neither
// prints nor prompts.

type Values = Readonly<Record<string, unknown>>;

/** An entry, with its first line if it comes from a file. */
export type Row<Entry = Values> = { line: number | undefined; entry: Entry };

/**
 * One entry: by its keys, or by the parameters of its address over HTTP. An operation finds the entry once, in its own
 * transaction, so that it never acts on another one that has got the name meanwhile.
 */
export type Place = { keys: Values } | { address: Readonly<Record<string, string>> };

/** What `save` changed, or would have changed without the dry run. */
export type Outcome = {
  added: string[];
  changed: { name: string; changes: Changes }[];
  unchanged: string[];
  /** With `SaveOptions.place`: the version of the entry after the save. */
  version?: string;
  /** New secrets by the entry's name. Only their fingerprints are stored. */
  secrets?: ReadonlyMap<string, string>;
};

export type Removal = {
  removed: string[];
  /** Numbers of related rows and sessions that were deleted or ended. */
  deleted: Readonly<Record<string, number>>;
  /** Related data that is kept, with the reason. */
  kept: readonly string[];
};

export type Changes = Record<string, { from: unknown; to: unknown }>;

export type Fault = Pick<Problem, 'reason' | 'code' | 'kind'> & { column: string };

/** An entry that will be written. `present` is the stored entry, undefined for a new one. */
export type Planned<Entry, Present> = {
  line: number | undefined;
  name: string;
  present: Present | undefined;
  entry: Stored<Entry>;
  target: AuditTarget;
};

/** Whether a save disables an entry that is enabled. */
export function isDisabledNow({
  entry,
  present,
}: Planned<{ disabled: boolean }, { entry: { disabled: boolean } }>): boolean {
  return entry.disabled && present?.entry.disabled === false;
}

/** The stored entry that a given entry refers to, or the `faults` why it cannot be determined. */
export type Found<Present> = {
  present?: Present | undefined;
  target?: AuditTarget;
  faults?: Fault[] | undefined;
  /** Changes to data that is not a field, such as a secret. */
  changes?: Changes;
  /** Set if the entry was found by a name other than its key. Such a name cannot be used to add or import entries. */
  alias?: Fault;
};

export type SaveOptions = {
  /** Whether existing entries may be changed. If not, an entry that differs from the stored one is a problem. */
  update?: boolean | undefined;
  /** Whether new entries may be added. If not, an unknown entry is a problem. */
  add?: boolean;
  /** Validates and plans without writing. */
  dryRun?: boolean | undefined;
  /** The entry that the only row changes. The row need not have its keys. */
  place?: Place;
  /** The versions of the entry that may be changed, as `If-Match` lists them; `*`: any. */
  expected?: string | undefined;
  /** Collects the problems; it may already contain problems from reading the file. */
  problems: Problems;
  /** Awaited after each batch, so that a progress bar can be drawn. */
  onWritten?: (count: number) => Promise<void>;
};

export type Filters = Readonly<Record<string, string | boolean | undefined>>;

type Description = {
  name: ResourceName;
  singular: string;
  summary: string;
  /** The fields that identify an entry, in the order of a command's arguments. */
  keys: readonly string[];
  fields: Fields;
  /** The filters of `list`, in addition to `after` and `limit`. */
  filters: Readonly<Record<string, { flags: string; help: string }>>;
  /** The columns of the printed table; `--json` and `--csv` contain all fields. */
  columns?: readonly string[];
  /** Help texts of `disable` and `enable`. */
  switchHelp?: Readonly<Record<'disable' | 'enable', string>>;
  /** Help text of `remove`. */
  removeHelp?: string;
  /** The tables that an import from a file fills; undefined: entries cannot be imported. */
  importedTables?: readonly (keyof Tables)[];
  /** `delegated`: permits a change of the delegated fields alone. */
  operations: { read: Operation; change: Operation; delegated?: Operation; remove: Operation };
};

export type ResourceName = 'sites' | 'users' | 'members' | 'clients' | 'connections' | 'roles';

type Definition<Entry extends Values, Present extends { entry: Stored<Entry> }, Prepared> = Description & {
  keys: readonly (keyof Entry & string)[];
  nameOf?: (entry: Entry) => string;
  /** Values that must be unique within a file; default: the name. */
  uniqueIn?: (entry: Entry) => Fault[];
  /** Returns the page that follows the entry `after`, which has at least its first key. */
  findPage: (
    database: Database,
    filters: Filters,
    after: Partial<Entry> | undefined,
    size: number,
    scope: Scope,
  ) => Promise<Present[]>;
  /** Finds the stored entries within the scope. Others do not exist for the caller. */
  find: (
    database: Database,
    entries: readonly Entry[],
    scope: Scope,
  ) => Promise<(entry: Entry) => Found<Present>>;
  /** Finds the entry of an address within the scope; default: the parameters of the address are the keys. */
  findAt?: (
    database: Database,
    address: Readonly<Record<string, string>>,
    scope: Scope,
  ) => Promise<{ present: Present; target: AuditTarget } | undefined>;
  /** Values that the service sets: a list shows them after the fields, and an import ignores them. */
  facts?: Readonly<Record<string, (present: Present) => unknown>>;
  /** What somebody with this scope sees of an entry; default: all of it. */
  view?: (present: Present, scope: Scope) => Values;
  /** Facts of a page of a list, in addition to the fields. */
  describeItems?: (
    database: Database,
    page: readonly Present[],
    scope: Scope,
    now: Date,
  ) => Promise<Values[]>;
  /** The reason why the actor must not change or remove an entry that is within the scope. */
  findObjection?: (present: Present, facts: { context: AdminContext; scope: Scope }) => Fault | undefined;
  /** Whether somebody whose scope is a list of sites may add the entry. */
  mayAdd?: (entry: Stored<Entry>, scope: readonly string[]) => boolean;
  /** Lists names of similar length, for suggestions; default: none. */
  names?: (database: Database, length: { from: number; to: number }) => Promise<string[]>;
  /** Runs before the transaction: for slow work and for work that uses the services. */
  prepare?: (
    context: AdminContext,
    options: { mayWrite: boolean; scope: Scope; add: boolean; rows: readonly Entry[] },
  ) => Promise<Prepared>;
  /** Reports problems of the planned entries. May sort them. */
  check?: (
    planned: Planned<Entry, Present>[],
    facts: {
      context: AdminContext;
      transaction: DatabaseTransaction;
      problems: Problems;
      prepared: Prepared;
      scope: Scope;
      /** Whether `planned` has all entries of the file: none was omitted because of a problem. */
      isComplete: boolean;
      report: (
        planned: Planned<Entry, Present>,
        column: string,
        reason: string,
        more?: Pick<Problem, 'code' | 'kind'>,
      ) => void;
    },
  ) => Promise<void> | void;
  write: (
    planned: readonly Planned<Entry, Present>[],
    facts: {
      context: AdminContext;
      transaction: DatabaseTransaction;
      prepared: Prepared;
      scope: Scope;
      now: Date;
      onWritten: (count: number) => Promise<void>;
    },
  ) => Promise<Pick<Outcome, 'secrets'> | void>;
  /** Runs after the commit of a save, for messages. */
  afterwards?: (
    context: AdminContext,
    planned: readonly Planned<Entry, Present>[],
    scope: Scope,
  ) => Promise<void>;
  /** What `disable` and `enable` set; default: the field `disabled`. */
  toDisabled?: (isDisabled: boolean) => Partial<Entry>;
  /** The same after a removal. */
  afterRemoval?: (context: AdminContext, present: Present) => Promise<void>;
  /** Details for `show`, in addition to the fields. */
  describe?: (context: AdminContext, present: Present, scope: Scope) => Values | Promise<Values>;
  remove?: (
    present: Present,
    facts: { context: AdminContext; transaction: DatabaseTransaction; now: Date },
  ) => Promise<Omit<Removal, 'removed'>>;
  /** Whether writing the entry ends sessions, so that applications must be notified. */
  endsSessions?: (planned: Planned<Entry, Present>) => boolean;
};

export type Resource<Present extends { entry: Values } = { entry: Values }> = Description & {
  /** The names of the values that the service sets. */
  facts: readonly string[];
  /** Validates one entry. */
  parse: (values: Values) => { entry: Values } | { problems: Problem[] };
  /** Validates the fields that are given, also without the keys. */
  parseChanges: (values: Values) => { entry: Values } | { problems: Problem[] };
  uniqueIn: (entry: Values) => Fault[];
  list: (context: AdminContext, filters: Filters) => AsyncGenerator<Values>;
  /** A page of a list with the facts of its items. `next` is the cursor of the next page. */
  listPage: (
    context: AdminContext,
    filters: Filters,
    page: { after: Values | undefined; size: number },
  ) => Promise<{ items: Values[]; next: Values | undefined }>;
  find: (database: Database, keys: Values) => Promise<Present | undefined>;
  /** @throws RefusedError with similar names if there is no such entry */
  require: (database: Database, keys: Values, scope?: Scope) => Promise<Present>;
  /** The entry with its version as this actor sees it (`SaveOptions.expected`). */
  show: (context: AdminContext, place: Place) => Promise<{ shown: Values; version: string }>;
  /**
   * Writes all rows or none, in one transaction with their audit events.
   * @throws RefusedError with all problems
   */
  save: (context: AdminContext, rows: readonly Row[], options: SaveOptions) => Promise<Outcome>;
  toDisabled: (isDisabled: boolean) => Values;
  remove: (
    context: AdminContext,
    place: Place,
    options: Pick<SaveOptions, 'dryRun' | 'expected'>,
  ) => Promise<Removal>;
};

/**
 * The advisory lock that serialises changes across all nodes: two concurrent changes must not create a cycle of sites.
 * The number is arbitrary but unique.
 */
export const changeLock = 7_405_120_314;

export function defineResource<
  Entry extends Values,
  Present extends { entry: Stored<Entry> },
  Prepared = undefined,
>(definition: Definition<Entry, Present, Prepared>): Resource<Present> {
  const { name: resource, singular, keys, fields } = definition;
  const schemas = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema]));
  const schema = v.object(schemas, 'is required');
  const optionalKeys = keys.map((key) => [key, v.optional(schemas[key] ?? v.never())] as const);
  const schemaOfChanges = v.object({ ...schemas, ...Object.fromEntries(optionalKeys) }, 'is required');
  const facts = Object.entries(definition.facts ?? {});
  const compared = namesOfShown(fields).filter((field) => !keys.includes(field));
  const nameOf = definition.nameOf ?? ((entry: Entry) => String(entry[keys[0] ?? '']));

  function parse(
    values: Values,
    by: typeof schema | typeof schemaOfChanges = schema,
  ): { entry: Entry } | { problems: Problem[] } {
    const result = v.safeParse(by, values, { abortPipeEarly: true });
    if (result.success) return { entry: result.output as Entry };
    const problems = result.issues.map((issue) => ({
      column: v.getDotPath(issue)?.split('.')[0],
      reason: issue.message,
    }));
    return { problems };
  }

  /** Similar names are suggested only to those who may see every name. */
  async function describeMissing(database: Database, name: string, scope: Scope): Promise<string> {
    const between = { from: name.length - 2, to: name.length + 2 };
    const names = scope === 'all' ? ((await definition.names?.(database, between)) ?? []) : [];
    return `there is no ${singular} ${name}${suggest(name, names)}`;
  }

  async function find(
    database: Database,
    values: Values,
    scope: Scope,
  ): Promise<Found<Present> & { name: string }> {
    const parsed = parse(values);
    if ('problems' in parsed) throw new RefusedError(parsed.problems);
    const findOne = await definition.find(database, [parsed.entry], scope);
    return { ...findOne(parsed.entry), name: nameOf(parsed.entry) };
  }

  async function requireFound(
    database: Database,
    place: Place,
    scope: Scope = 'all',
  ): Promise<{ present: Present; target: AuditTarget }> {
    if ('address' in place && definition.findAt !== undefined) {
      const { address } = place;
      const found = await definition.findAt(database, address, scope);
      if (found !== undefined) return found;
      const name = Object.values(address).at(-1) ?? '';
      throw new RefusedError(`there is no ${singular} ${name}`, { kind: 'missing' });
    }
    const values = 'address' in place ? place.address : place.keys;
    const { present, target = {}, faults = [], name } = await find(database, values, scope);
    if (present !== undefined) return { present, target };
    throw new RefusedError(faults.length > 0 ? faults : await describeMissing(database, name, scope), {
      kind: 'missing',
    });
  }

  const view = (present: Present, scope: Scope): Values =>
    scope === 'all' ? present.entry : (definition.view?.(present, scope) ?? present.entry);

  /** @throws RefusedError with the present entry if another version is expected */
  function requireExpected(present: Present, scope: Scope, expected: string | undefined): void {
    if (expected === undefined || expected === '*') return;
    const seen = view(present, scope);
    if (expected.split(',').some((one) => one.trim() === tagOf(seen))) return;
    throw new RefusedError(`${nameOf(present.entry)} was changed meanwhile`, {
      kind: 'changed',
      present: seen,
    });
  }

  /** Whoever may not change the entry as a whole may still change its delegated fields. */
  function permitChange(context: AdminContext): { scope: Scope; isDelegated: boolean } {
    const { change, delegated } = definition.operations;
    const isDelegated = delegated !== undefined && context.operation.actor.scopeOf(change) === undefined;
    return { scope: permit(context, isDelegated ? delegated : change), isDelegated };
  }

  async function plan(
    context: AdminContext,
    transaction: DatabaseTransaction,
    rows: readonly Row<Entry>[],
    { update = false, add = true, place, expected, problems }: SaveOptions,
    { scope, isDelegated }: { scope: Scope; isDelegated: boolean },
  ): Promise<{ outcome: Outcome; planned: Planned<Entry, Present>[] }> {
    const isShell = context.operation.actor.via === 'shell';
    const outcome: Outcome = { added: [], changed: [], unchanged: [] };
    const planned: Planned<Entry, Present>[] = [];
    const placed: Found<Present> | undefined = place && (await requireFound(transaction, place, scope));
    const findOne = placed
      ? () => placed
      : await definition.find(
          transaction,
          rows.map(({ entry }) => entry),
          scope,
        );
    for (const { line, entry } of rows) {
      const renamed = placed?.present && findChanges(placed.present.entry, entry, keys);
      for (const column of Object.keys(renamed ?? {}))
        problems.add({ line, column, reason: 'cannot be changed' });
      for (const [column, { isSecret, delegated }] of Object.entries(fields)) {
        if (entry[column] === undefined || keys.includes(column)) continue;
        if (isSecret === true && !isShell)
          problems.add({ line, column, reason: 'can only be set on the command line' });
        if (isDelegated && delegated !== true)
          problems.add({ line, column, reason: 'may not be changed by an administrator', kind: 'forbidden' });
      }
      const { present, target = {}, alias, faults = [], changes: others } = findOne(entry);
      const name = present === undefined ? nameOf(entry) : nameOf(present.entry);
      const refused = add && alias !== undefined ? [...faults, alias] : faults;
      for (const fault of refused) problems.add({ line, ...fault });
      if (refused.length > 0) continue;
      if (present === undefined) {
        if (!add) {
          const reason =
            rows.length === 1
              ? await describeMissing(transaction, name, scope)
              : `there is no ${singular} ${name}`;
          problems.add({ line, column: keys[0], reason, kind: 'missing' });
          continue;
        }
        const missing = Object.keys(fields).filter(
          (field) => fields[field]?.initial === undefined && entry[field] === undefined,
        );
        for (const column of missing)
          problems.add({ line, column, reason: `is required for a new ${singular}`, code: 'required' });
        outcome.added.push(name);
        if (missing.length > 0) continue;
        const added = merge<Entry>(initialOf(fields), entry);
        if (scope !== 'all' && definition.mayAdd?.(added, scope) !== true)
          problems.add({ line, reason: `an administrator may not add this ${singular}`, kind: 'forbidden' });
        planned.push({ line, name, present, target, entry: added });
        continue;
      }
      requireExpected(present, scope, expected);
      const changes = { ...findChanges(present.entry, entry, compared), ...others };
      if (Object.keys(changes).length === 0) outcome.unchanged.push(name);
      else if (update) {
        const objection = definition.findObjection?.(present, { context, scope });
        if (objection !== undefined) problems.add({ line, ...objection });
        outcome.changed.push({ name, changes });
        const set = { ...entry, ...pick(present.entry, keys) };
        planned.push({ line, name, present, target, entry: merge(present.entry, set) });
      } else
        problems.add({
          line,
          column: keys[0],
          reason: `there is a ${singular} ${name} already${isShell ? ' (--update changes it)' : ''}`,
          code: 'exists',
          kind: 'conflict',
        });
    }
    return { outcome, planned };
  }

  return {
    ...definition,
    facts: facts.map(([name]) => name),
    toDisabled: definition.toDisabled ?? ((disabled) => ({ disabled })),
    parse: (values) => parse(values),
    parseChanges: (values) => parse(values, schemaOfChanges),
    uniqueIn: (entry) =>
      definition.uniqueIn?.(entry as Entry) ?? [{ column: keys[0] ?? '', reason: nameOf(entry as Entry) }],
    async *list(context, { after, limit, ...filters }) {
      const { database } = context;
      const scope = permit(context, definition.operations.read);
      const start = typeof after === 'string' ? ({ [keys[0] ?? '']: after } as Partial<Entry>) : undefined;
      const found = pageThrough<Present>(
        (last, size) => definition.findPage(database, filters, last?.entry ?? start, size, scope),
        limit === undefined ? Infinity : Number(limit),
      );
      for await (const present of found)
        yield {
          ...view(present, scope),
          ...Object.fromEntries(facts.map(([name, read]) => [name, read(present)])),
        };
    },
    async listPage(context, filters, { after, size }) {
      const { database } = context;
      const scope = permit(context, definition.operations.read);
      const found = await definition.findPage(database, filters, after as Partial<Entry>, size + 1, scope);
      const page = found.slice(0, size);
      const facts = await definition.describeItems?.(database, page, scope, context.clock.now());
      const last = found.length > size ? page.at(-1)?.entry : undefined;
      return {
        items: page.map((present, index) => ({ ...view(present, scope), ...facts?.[index] })),
        next: last && pick(last, keys),
      };
    },
    find: async (database, values) => (await find(database, values, 'all')).present,
    require: async (database, values, scope) =>
      (await requireFound(database, { keys: values }, scope)).present,
    async show(context, place) {
      const scope = permit(context, definition.operations.read);
      const { present } = await requireFound(context.database, place, scope);
      const seen = view(present, scope);
      const more = await definition.describe?.(context, present, scope);
      return { shown: { ...seen, ...more }, version: tagOf(seen) };
    },
    async save(context, given, { onWritten = () => Promise.resolve(), ...options }) {
      const { problems, dryRun = false } = options;
      const permission = permitChange(context);
      const { scope } = permission;
      const isComplete = !problems.areAny();
      const mayWrite = isComplete && !dryRun;
      const rows = given.map(({ line, entry }) => ({ line, entry: entry as Entry }));
      const entries = rows.map(({ entry }) => entry);
      const prepared = (await definition.prepare?.(context, {
        mayWrite,
        scope,
        add: options.add ?? true,
        rows: entries,
      })) as Prepared;
      try {
        const { outcome, planned } = await change(context, async (transaction) => {
          const found = await plan(context, transaction, rows, options, permission);
          const report = (
            { line }: Planned<Entry, Present>,
            column: string,
            reason: string,
            more: Pick<Problem, 'code' | 'kind'> = {},
          ): void => problems.add({ line, column, reason, ...more });
          await definition.check?.(found.planned, {
            context,
            transaction,
            problems,
            prepared,
            scope,
            isComplete,
            report,
          });
          problems.refuseIfAny();
          const withVersion = async (outcome: Outcome): Promise<Outcome> => {
            if (options.place === undefined) return outcome;
            const { present } = await requireFound(transaction, options.place, scope);
            return { ...outcome, version: tagOf(view(present, scope)) };
          };
          if (!mayWrite) return { ...found, outcome: await withVersion(found.outcome) };
          const now = context.clock.now();
          const written = await definition.write(found.planned, {
            context,
            transaction,
            prepared,
            scope,
            now,
            onWritten,
          });
          await recordOutcome(context, transaction, found);
          return { ...found, outcome: await withVersion({ ...found.outcome, ...written }) };
        });
        if (mayWrite && planned.some((one) => definition.endsSessions?.(one) === true))
          await context.notifyApplications();
        if (mayWrite) await definition.afterwards?.(context, planned, scope);
        return outcome;
      } catch (error) {
        throw isConflict(error)
          ? new RefusedError('another operation changed the same data at the same time: try again', {
              kind: 'conflict',
            })
          : error;
      }
    },
    async remove(context, place, { dryRun, expected }) {
      if (definition.remove === undefined) throw new RefusedError(`${resource} cannot be removed`);
      const { remove } = definition;
      const scope = permit(context, definition.operations.remove);
      let removed: Present | undefined;
      const removal = await change(
        context,
        async (transaction) => {
          const { present, target } = await requireFound(transaction, place, scope);
          requireExpected(present, scope, expected);
          const objection = definition.findObjection?.(present, { context, scope });
          if (objection !== undefined) throw new RefusedError([objection]);
          removed = present;
          const name = nameOf(present.entry);
          const facts = { context, transaction, now: context.clock.now() };
          const result = await remove(present, facts);
          await recordChange(context, transaction, target, { resource, action: 'remove', name });
          return { removed: [name], ...result };
        },
        { dryRun },
      );
      if (dryRun !== true && definition.endsSessions !== undefined) await context.notifyApplications();
      if (dryRun !== true && removed !== undefined) await definition.afterRemoval?.(context, removed);
      return removal;
    },
  };

  async function recordOutcome(
    context: AdminContext,
    transaction: Database,
    {
      outcome: { added, changed },
      planned,
    }: { outcome: Outcome; planned: readonly Planned<Entry, Present>[] },
  ): Promise<void> {
    if (added.length + changed.length > recordedSeparately) {
      const details = { resource, added: String(added.length), changed: String(changed.length) };
      await recordOperation(context, transaction, [{ event: 'operator.change', details }]);
      return;
    }
    const fieldsOf = new Map(changed.map(({ name, changes }) => [name, Object.keys(changes).join(' ')]));
    const events = planned.map(({ name, present, target }) => ({
      event: 'operator.change' as const,
      ...target,
      details:
        present === undefined
          ? { resource, action: 'add', name }
          : { resource, action: 'change', name, fields: fieldsOf.get(name) },
    }));
    await recordOperation(context, transaction, events);
  }
}

/** One change at a time, on all nodes. */
async function change<Result>(
  context: AdminContext,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
  options: { dryRun?: boolean | undefined } = {},
): Promise<Result> {
  const locked = async (transaction: DatabaseTransaction): Promise<Result> => {
    await sql`select pg_advisory_xact_lock(${changeLock})`.execute(transaction);
    return await work(transaction);
  };
  return await inTurn(context.database, () => runInTransaction(context, locked, options));
}

/** The version of an entry, as an entity tag of HTTP. */
export function tagOf(seen: Values): string {
  return `"${createHash('sha256').update(JSON.stringify(seen)).digest('base64url').slice(0, 22)}"`;
}

/** A larger import records a single audit event with its counts. */
const recordedSeparately = 200;

/** Returns `; did you mean …?` if there are similar names. */
function suggest(name: string, names: readonly string[]): string {
  const key = name.toLowerCase();
  const similar = names
    .map((one) => ({ one, difference: distance(key, one.toLowerCase()) }))
    .filter(({ difference }) => difference <= Math.min(2, Math.floor(key.length / 3)))
    .toSorted((one, other) => one.difference - other.difference)
    .slice(0, 3);
  return similar.length === 0 ? '' : `; did you mean ${similar.map(({ one }) => one).join(', ')}?`;
}

function initialOf(fields: Fields): Values {
  return Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial]));
}

function findChanges(present: Values, entry: Values, compared: readonly string[]): Changes {
  return Object.fromEntries(
    compared.flatMap((field) => {
      const from = present[field] ?? null;
      const { [field]: to = from } = entry;
      return isDeepStrictEqual(from, to) ? [] : [[field, { from, to }]];
    }),
  );
}

/** Overwrites the values of `present` with those that `entry` sets. */
function merge<Entry>(present: Values, entry: Values): Stored<Entry> {
  const set = Object.entries(entry).filter(([, value]) => value !== undefined);
  return { ...present, ...Object.fromEntries(set) } as Stored<Entry>;
}

function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

/** SQLSTATE: unique violation, foreign key violation, serialisation failure, deadlock. */
const conflictCodes = new Set(['23505', '23503', '40001', '40P01']);

function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && conflictCodes.has(String(error.code));
}
