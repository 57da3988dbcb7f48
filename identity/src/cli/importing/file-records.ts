import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Info } from 'csv-parse';
import { RefusedError } from '../../admin/problems.ts';
import type { Problems } from '../../admin/problems.ts';

/** One entry of a file; `values` have the names that the file uses. */
export type FileRecord = {
  /** The first line of the entry. */
  line: number;
  /** The line with the names: the first line of a CSV file, the entry's own line in a JSON file. */
  namesLine: number;
  values: Readonly<Record<string, unknown>>;
};

/** Limits the memory that an unclosed quote or bracket can use. */
const recordMaximumLength = 64 * 1024;

type CsvItem = { record: string[]; info: Info };

/**
 * Reads CSV whose first line names the fields. The separator can be a semicolon, which Excel uses in locales with a
 * decimal comma.
 */
export async function* readCsvRecords(
  chunks: AsyncIterable<string>,
  problems: Problems,
): AsyncGenerator<FileRecord> {
  const { firstLine, all } = await peekFirstLine(chunks);
  const parser = parse({
    delimiter: findDelimiter(firstLine),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: recordMaximumLength,
  });
  // errors are emitted on the parser stream
  pipeline(all, parser, () => undefined);
  let header: string[] | undefined;
  let namesLine = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvItem>) {
      const line = firstLineOf(record, info);
      if (header === undefined) {
        header = record.map((name) => name.trim());
        namesLine = line;
        for (const name of header.filter((one, index) => header?.indexOf(one) !== index))
          problems.add({ line, column: name, reason: 'is a duplicate' });
      } else if (record.length === header.length) yield { line, namesLine, values: toValues(header, record) };
      else if (record.some((cell) => cell.trim() !== ''))
        problems.add({
          line,
          reason: `has ${record.length} fields where the first line has ${header.length}`,
        });
    }
  } catch (error) {
    throw error instanceof CsvError ? toRefusal(error) : error;
  }
}

/** Computes the first line of a record, whose cells may contain line breaks; `info.lines` is its last line. */
function firstLineOf(record: readonly string[], info: Info): number {
  return info.lines - record.reduce((breaks, cell) => breaks + cell.split(/\r\n|\r|\n/).length - 1, 0);
}

function toValues(header: readonly string[], record: readonly string[]): Record<string, string> {
  return Object.fromEntries(header.map((name, index) => [name, withoutApostrophe(record[index] ?? '')]));
}

/** Removes the apostrophe that CSV output puts before a formula. */
function withoutApostrophe(cell: string): string {
  return cell.replace(/^'(?=[=+\-@\t\r])/, '');
}

function findDelimiter(firstLine: string): string {
  const count = (delimiter: string): number => firstLine.split(delimiter).length;
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}

async function peekFirstLine(
  chunks: AsyncIterable<string>,
): Promise<{ firstLine: string; all: AsyncGenerator<string> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  let start = '';
  while (!/[\r\n]/.test(start) && start.length < recordMaximumLength) {
    const next = await iterator.next();
    if (next.done === true) break;
    start += next.value;
  }
  async function* replay(): AsyncGenerator<string> {
    yield start;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return { firstLine: start.split(/[\r\n]/)[0] ?? '', all: replay() };
}

const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after a closing quote',
  INVALID_OPENING_QUOTE:
    'there is a quote inside an unquoted field: quote the whole field, and double the quotes in it',
  CSV_MAX_RECORD_SIZE: 'an entry is too long; perhaps a quote is not closed',
};

function toRefusal(error: CsvError): RefusedError {
  const line = 'lines' in error && typeof error.lines === 'number' ? error.lines : undefined;
  return new RefusedError([
    { line, reason: reasons[error.code] ?? `the file cannot be read: ${error.code}` },
  ]);
}

/** The next expected token outside of objects. */
type Expected = 'start' | 'value' | 'first value' | 'comma' | 'line' | 'nothing';

/**
 * Reads the objects of a JSON array or of NDJSON one by one, so that the file is never in memory as a whole and each entry
 * has its line number. Only the boundaries of objects are scanned here; `JSON.parse` parses their content.
 */
export async function* readJsonRecords(chunks: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  let line = 1;
  let expected: Expected = 'start';
  let object:
    | { text: string; line: number; depth: number; isInText: boolean; isEscaped: boolean }
    | undefined;
  const refuse = (reason: string): never => {
    throw new RefusedError([{ line, reason }]);
  };

  for await (const chunk of chunks) {
    for (const character of chunk) {
      if (character === '\n') line += 1;
      if (object !== undefined) {
        object.text += character;
        if (object.text.length > recordMaximumLength)
          refuse('an entry is too long; perhaps a bracket is not closed');
        if (object.isEscaped) object.isEscaped = false;
        else if (object.isInText) {
          if (character === '\\') object.isEscaped = true;
          else if (character === '"') object.isInText = false;
        } else if (character === '"') object.isInText = true;
        else if (character === '{' || character === '[') object.depth += 1;
        else if (character === '}' || character === ']') object.depth -= 1;
        if (object.depth > 0) continue;
        yield { line: object.line, namesLine: object.line, values: parseObject(object) };
        object = undefined;
      } else if (/\s/.test(character)) {
        continue;
      } else if (character === '{' && expected !== 'comma' && expected !== 'nothing') {
        object = { text: character, line, depth: 1, isInText: false, isEscaped: false };
        expected = expected === 'start' || expected === 'line' ? 'line' : 'comma';
      } else if (character === '[' && expected === 'start') expected = 'first value';
      else if (character === ',' && expected === 'comma') expected = 'value';
      else if (character === ']' && (expected === 'comma' || expected === 'first value'))
        expected = 'nothing';
      else refuse(`found "${character}", expected ${expectations[expected]}`);
    }
  }
  if (object !== undefined) refuse(`the entry that begins in line ${object.line} is not closed`);
  if (expected !== 'start' && expected !== 'line' && expected !== 'nothing')
    refuse('the array is not closed');
}

const expectations: Readonly<Record<Expected, string>> = {
  start: 'an array or an object',
  value: 'an object',
  'first value': 'an object',
  comma: 'a comma',
  line: 'an object',
  nothing: 'the end of the file',
};

function parseObject({ text, line }: { text: string; line: number }): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    const detail = error instanceof Error ? error.message : '';
    throw new RefusedError([{ line, reason: `the entry is not JSON: ${detail}` }]);
  }
}
