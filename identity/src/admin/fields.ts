import * as v from 'valibot';
import { hasControlCharacter } from '../lib/control-characters.ts';
import { findInvisible } from '../lib/names.ts';

// Values come from command options, CSV cells (always text) or JSON members.
// `undefined` leaves a field unchanged, `null` clears it.

export type Field<Schema extends v.GenericSchema = v.GenericSchema> = {
  kind: 'text' | 'number' | 'flag';
  help: string;
  schema: Schema;
  /** The value of a new entry; `undefined`: the field is required. */
  initial?: unknown;
  /** The column that stores the value unchanged. */
  column?: string | undefined;
  /** The field has no command option, because its value comes from a file. */
  fromFile?: true;
  /** `defineResource` writes the value, but does not list, show or compare it. Only the command line can set it. */
  isSecret?: true;
  /** Administrators of a site may change it, although they may not change the other fields. */
  delegated?: true;
};

export type Fields = Readonly<Record<string, Field>>;
export type EntryOf<Table extends Fields> = v.InferOutput<
  v.ObjectSchema<{ readonly [Name in keyof Table]: Table[Name]['schema'] }, string>
>;
/** A complete entry, as the database stores it. */
export type Stored<Entry> = { [Name in keyof Entry]-?: Exclude<Entry[Name], undefined> };

/** A key, or a field that a new entry requires. `schema` can still be optional, because updates may omit the field. */
export function required<Schema extends v.GenericSchema>(help: string, schema: Schema, column?: string) {
  return { kind: 'text', help, schema, column } satisfies Field<Schema>;
}

/** A text field that may be missing. Empty text and `null` clear it. */
export function optional<Schema extends v.GenericSchema<string, unknown>>(
  help: string,
  schema: Schema,
  column?: string,
) {
  return { kind: 'text', help, schema: clearable(schema), initial: null, column } satisfies Field;
}

export function flag(help: string, initial: boolean, column?: string) {
  return { kind: 'flag', help, schema: yesOrNo, initial, column } satisfies Field;
}

/** The fields that are listed and shown. */
export function namesOfShown(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.isSecret !== true);
}

/** Builds the stored entry: fields with a column come from the row, the rest from `others`. */
export function toEntry<Table extends Fields>(
  fields: Table,
  row: Readonly<Record<string, unknown>>,
  others: Readonly<Record<string, unknown>>,
): Stored<EntryOf<Table>> {
  const values = namesOfShown(fields).map((name) => {
    const column = fields[name]?.column;
    return [name, column === undefined ? others[name] : row[column]];
  });
  return Object.fromEntries(values) as Stored<EntryOf<Table>>;
}

/** The values of all fields that have a column, by column. */
export function toColumns(fields: Fields, entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { column }]) =>
      column === undefined ? [] : [[column, entry[name]]],
    ),
  );
}

/** Non-empty text, trimmed and normalised (NFC), without control characters, which terminals and mails interpret. */
export const text = (maximumLength: number) =>
  v.pipe(
    v.string('must be text'),
    v.transform((value) => value.normalize('NFC').trim()),
    v.nonEmpty('must not be empty'),
    v.maxLength(maximumLength, `must have at most ${maximumLength} characters`),
    v.check((value) => !hasControlCharacter(value), 'must not contain control characters'),
    v.check((value) => value.isWellFormed(), 'must be Unicode text'),
  );

/** Like `text`, for names and addresses that people and systems compare: two equal-looking values must be equal. */
export const visibleText = (maximumLength: number) =>
  v.pipe(
    text(maximumLength),
    v.rawCheck(({ dataset, addIssue }) => {
      const fault = dataset.typed ? findInvisibleFault(dataset.value) : undefined;
      if (fault !== undefined) addIssue({ message: fault });
    }),
  );

export function findInvisibleFault(value: string): string | undefined {
  const codePoint = findInvisible(value);
  return codePoint === undefined ? undefined : `must not contain the invisible character ${codePoint}`;
}

function clearable<Schema extends v.GenericSchema<string, unknown>>(schema: Schema) {
  return v.optional(
    v.pipe(
      v.nullable(v.string('must be text')),
      v.transform((value) => (value === null || value.trim() === '' ? null : value)),
      v.nullable(schema),
    ),
  );
}

const spellings = new Map([
  ...['true', 'yes', 'y', '1'].map((text) => [text, true] as const),
  ...['false', 'no', 'n', '0'].map((text) => [text, false] as const),
]);

/** An empty cell leaves a yes/no field unchanged. */
const yesOrNo = v.optional(
  v.pipe(
    v.nullable(v.union([v.boolean(), v.string()], 'must be yes or no')),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }): boolean | undefined => {
      if (typeof value === 'boolean') return value;
      if (value === null || value.trim() === '') return undefined;
      const parsed = spellings.get(value.trim().toLowerCase());
      if (parsed !== undefined) return parsed;
      addIssue({ message: 'must be yes or no' });
      return NEVER;
    }),
  ),
);

/** An empty cell leaves the field unchanged. */
export const wholeNumber = (minimum: number, maximum: number) =>
  v.optional(
    v.pipe(
      v.nullable(v.union([v.number(), v.string()], 'must be a whole number')),
      v.rawTransform(({ dataset: { value }, addIssue, NEVER }): number | undefined => {
        if (value === null || (typeof value === 'string' && value.trim() === '')) return undefined;
        const number = typeof value === 'number' || /^\s*-?\d{1,9}\s*$/.test(value) ? Number(value) : NaN;
        if (Number.isInteger(number) && number >= minimum && number <= maximum) return number;
        addIssue({ message: `must be a whole number from ${minimum} to ${maximum}` });
        return NEVER;
      }),
    ),
  );

/** Text with separators, or a JSON array. Empty text clears the list. */
export function list(
  separator: RegExp,
  reason: string,
  isOne: (value: string) => boolean,
  toKey = (value: string) => value,
) {
  return v.optional(
    v.pipe(
      v.nullable(v.union([v.string(), v.array(v.string())], reason)),
      v.transform((given) => [
        ...new Set(
          // The lines of a form can contain several values each.
          [given ?? []]
            .flat()
            .flatMap((text) => text.split(separator))
            .map(toKey)
            .filter((value) => value !== ''),
        ),
      ]),
      v.check((all) => all.every(isOne), reason),
    ),
  );
}
