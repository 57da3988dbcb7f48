import { RefusedError } from '../problems.ts';
import type { Problems } from '../problems.ts';
import type { Resource, Row } from '../resource.ts';
import { isUtf16 } from '../../lib/decode-utf8.ts';
import { readCsvRecords, readJsonRecords } from './file-records.ts';
import type { FileRecord } from './file-records.ts';

/** The number is limited because all rows stay in memory until they are validated; this many use half a gigabyte. */
const maximumRows = 200_000;

/**
 * Reads the valid entries of a file, and adds the problems of invalid entries to `problems`.
 * @throws RefusedError if the file cannot be read to its end
 */
export async function collectRows(
  resource: Pick<Resource, 'fields' | 'keys' | 'facts' | 'parse' | 'uniqueIn'>,
  chunks: AsyncIterable<Uint8Array>,
  problems: Problems,
): Promise<Row[]> {
  const rows: Row[] = [];
  const seen = new Map<string, number>();
  const toFields = createFieldMapping(resource, problems);
  for await (const record of readRecords(decodeText(chunks), problems)) {
    if (rows.length >= maximumRows)
      throw new RefusedError([
        { line: record.line, reason: `more than ${maximumRows} entries: split the file` },
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
      else problems.add({ line, column, reason: `is already in line ${earlier}` });
    }
    rows.push({ line, entry: parsed.entry });
  }
  return rows;
}

/**
 * Decodes UTF-8 without its byte order mark. Other encodings are refused, because names would be stored with wrong
 * letters.
 */
async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  let isFirst = true;
  const decode = (chunk?: Uint8Array): string => {
    if (isFirst && chunk !== undefined && isUtf16(chunk))
      throw new RefusedError([{ reason: 'the file is UTF-16 (in Excel: save it as "CSV UTF-8")' }]);
    isFirst &&= chunk === undefined;
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      const reason = 'the file is not UTF-8 (in Excel: save it as "CSV UTF-8")';
      throw new RefusedError([{ line, reason }]);
    }
  };
  for await (const chunk of chunks) {
    const decoded = decode(chunk);
    line += decoded.split('\n').length - 1;
    if (decoded !== '') yield decoded;
  }
  const rest = decode();
  if (rest !== '') yield rest;
}

/** A JSON file begins with a bracket or brace; the field names of a CSV file do not. */
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

/** Maps names such as `User name`, `user_name` and `USERNAME` to fields. Returns undefined if a key is missing. */
function createFieldMapping(
  { fields, keys, facts }: Pick<Resource, 'fields' | 'keys' | 'facts'>,
  problems: Problems,
): (record: FileRecord) => Record<string, unknown> | undefined {
  const plainNameOf = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');
  const known = new Map(Object.keys(fields).map((field) => [plainNameOf(field), field]));
  // All entries of a CSV file share one line of names, so each problem is reported once.
  const reported = new Set<string>();
  const report = (line: number, column: string, reason: string): void => {
    if (!reported.has(`${line} ${column}`)) problems.add({ line, column, reason });
    reported.add(`${line} ${column}`);
  };
  return ({ namesLine, values }) => {
    const named: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(values)) {
      if (facts.includes(name)) continue;
      const field = known.get(plainNameOf(name));
      if (field === undefined) report(namesLine, name, explainUnknownName(name, [...known.values()]));
      else if (field in named) report(namesLine, name, 'is a duplicate');
      else named[field] = value;
    }
    const missing = keys.filter((key) => !(key in named));
    for (const key of missing) report(namesLine, key, 'is required');
    return missing.length === 0 ? named : undefined;
  };
}

function explainUnknownName(name: string, known: readonly string[]): string {
  return /password|secret/i.test(name)
    ? 'cannot be imported: users choose their own password with a link (`anteroom users invite`, or "forgotten password"); use passwordHash for hashes of another system'
    : `is unknown; the fields are ${known.join(', ')}`;
}
