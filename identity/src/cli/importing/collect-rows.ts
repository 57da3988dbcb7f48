import { RefusedError } from '../../admin/problems.ts';
import type { Problems } from '../../admin/problems.ts';
import type { Resource, Row } from '../../admin/resource.ts';
import { readCsvRecords } from './csv-records.ts';
import { decodeText } from './decode-text.ts';
import type { FileRecord } from './file-record.ts';
import { readJsonRecords } from './json-records.ts';

/** All rows stay in memory until they are validated: half a gigabyte for so many. */
const rowsAtMost = 200_000;

/**
 * Reads every valid entry of a file; what is wrong with the others is added to the problems.
 * @throws RefusedError for a file that cannot be read to its end
 */
export async function collectRows(
  resource: Pick<Resource, 'fields' | 'keys' | 'parse' | 'uniqueIn'>,
  chunks: AsyncIterable<Uint8Array>,
  problems: Problems,
): Promise<Row[]> {
  const rows: Row[] = [];
  const seen = new Map<string, number>();
  const toFields = createNaming(resource, problems);
  for await (const record of readRecords(decodeText(chunks), problems)) {
    if (rows.length >= rowsAtMost)
      throw new RefusedError([
        { line: record.line, reason: `more than ${rowsAtMost} entries: split the file` },
      ]);
    const { line } = record;
    const values = toFields(record);
    if (values === undefined) continue;
    const parsed = resource.parse(values);
    if ('problems' in parsed) {
      for (const problem of parsed.problems) problems.add({ ...problem, line });
      continue;
    }
    for (const { column, reason: key } of resource.uniqueIn(parsed.entry)) {
      const earlier = seen.get(key);
      if (earlier === undefined) seen.set(key, line);
      else problems.add({ line, column, reason: `stands in line ${earlier} already` });
    }
    rows.push({ line, entry: parsed.entry });
  }
  return rows;
}

/** JSON begins with a bracket; a CSV file of this product does not. */
async function* readRecords(chunks: AsyncGenerator<string>, problems: Problems): AsyncGenerator<FileRecord> {
  let start = '';
  while (start.trim() === '') {
    const next = await chunks.next();
    if (next.done === true) throw new RefusedError([{ reason: 'the file is empty' }]);
    start += next.value;
  }
  async function* all(): AsyncGenerator<string> {
    yield start;
    yield* chunks;
  }
  yield* /^\s*[[{]/.test(start) ? readJsonRecords(all()) : readCsvRecords(all(), problems);
}

/** `User name`, `user_name` and `USERNAME` are `userName`; undefined where a key is missing. */
function createNaming(
  { fields, keys }: Pick<Resource, 'fields' | 'keys'>,
  problems: Problems,
): (record: FileRecord) => Record<string, unknown> | undefined {
  const plainNameOf = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');
  const known = new Map(Object.keys(fields).map((field) => [plainNameOf(field), field]));
  // the names of a CSV file are the same for all of its entries
  const told = new Set<string>();
  const tell = (line: number, column: string, reason: string): void => {
    if (!told.has(`${line} ${column}`)) problems.add({ line, column, reason });
    told.add(`${line} ${column}`);
  };
  return ({ namesLine, values }) => {
    const named: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(values)) {
      const field = known.get(plainNameOf(name));
      if (field === undefined) tell(namesLine, name, reasonAgainst(name, [...known.values()]));
      else if (field in named) tell(namesLine, name, 'is there twice');
      else named[field] = value;
    }
    const missing = keys.filter((key) => !(key in named));
    for (const key of missing) tell(namesLine, key, 'is needed');
    return missing.length === 0 ? named : undefined;
  };
}

function reasonAgainst(name: string, known: readonly string[]): string {
  return /password|secret/i.test(name)
    ? 'is not taken from files: users choose their own password with a link (`anteroom users invite`, or "forgotten password"); hashes of another system are taken as passwordHash'
    : `is not known; there are ${known.join(', ')}`;
}
