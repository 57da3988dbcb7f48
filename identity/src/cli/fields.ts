import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { Problem } from './problems.ts';

// What a value may be, wherever it comes from: an option of a command, a cell of a CSV file (always text), a member of a JSON
// object. "Not said" (`undefined`) leaves what is there, `null` takes it away.

/** Line breaks and the like have no place in a name, and in a terminal or a mail they are more than text. */
const controlCharacter = /\p{Cc}/u;

/** Text that must not be empty, without the spaces around it. */
export const text = (maximumLength: number) =>
  v.pipe(
    v.string('must be text'),
    v.transform((value) => value.normalize('NFC').trim()),
    v.nonEmpty('must not be empty'),
    v.maxLength(maximumLength, `must have at most ${maximumLength} characters`),
    v.check((value) => !controlCharacter.test(value), 'must not hold control characters'),
  );

/** Empty text and `null` take the value away. */
export function clearable<Schema extends v.GenericSchema<string, unknown>>(schema: Schema) {
  return v.optional(
    v.pipe(
      v.nullable(v.string('must be text')),
      v.transform((value) => (value === null || value.trim() === '' ? null : value)),
      v.nullable(schema),
    ),
  );
}

const words = new Map([
  ...['true', 'yes', 'y', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', '0'].map((word) => [word, false] as const),
]);

/** An empty cell says nothing. */
export const yesOrNo = v.optional(
  v.pipe(
    v.nullable(v.union([v.boolean(), v.string()], 'must be yes or no')),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }): boolean | undefined => {
      if (typeof value === 'boolean') return value;
      if (value === null || value.trim() === '') return undefined;
      const meant = words.get(value.trim().toLowerCase());
      if (meant !== undefined) return meant;
      addIssue({ message: 'must be yes or no' });
      return NEVER;
    }),
  ),
);

/** An empty cell says nothing. */
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

/** A valibot schema of one entry: an object with a schema for each field. */
export type EntrySchema<Entry> = v.GenericSchema<unknown, Entry>;

/** What is wrong with an entry, a problem for each field. */
export function parseEntry<Entry>(
  schema: EntrySchema<Entry>,
  values: Readonly<Record<string, unknown>>,
): { entry: Entry; problems?: undefined } | { entry?: undefined; problems: Problem[] } {
  const result = v.safeParse(schema, values, { abortPipeEarly: true });
  if (result.success) return { entry: result.output };
  return {
    problems: result.issues.map((issue) => ({
      column: v.getDotPath(issue)?.split('.')[0] ?? undefined,
      reason: issue.message,
    })),
  };
}

/** What `entry` says otherwise than `present` does. */
export function findChanges(
  present: Readonly<Record<string, unknown>>,
  entry: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Record<string, { from: unknown; to: unknown }> {
  return Object.fromEntries(
    Object.entries(entry).flatMap(([field, to = present[field]]) => {
      const from = present[field] ?? null;
      const isSame = keys.includes(field) || isDeepStrictEqual(from, to ?? null);
      return isSame ? [] : [[field, { from, to }]];
    }),
  );
}

/** `present` with what `entry` says of it. */
export function merge<Present extends Record<string, unknown>>(
  present: Present,
  entry: Readonly<Partial<Present>>,
): Present {
  const said = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
  return { ...present, ...said };
}
