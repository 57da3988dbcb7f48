import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Info } from 'csv-parse';
import { RefusedError } from '../problems.ts';
import type { Problems } from '../problems.ts';

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
  const delimiter = findDelimiter(firstLine);
  const parser = parse({
    delimiter,
    // The lines of a file that was put together can have different ends.
    record_delimiter: ['\r\n', '\n', '\r'],
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
      if (header === undefined && separatorLine.test(record.join(delimiter))) continue;
      if (header === undefined) {
        header = withoutEmptyEnd(record.map((name) => name.trim()));
        namesLine = line;
        for (const name of header.filter((one, index) => header?.indexOf(one) !== index))
          problems.add({ line, column: name, reason: 'is a duplicate' });
      } else if (isAsLong(record, header)) yield { line, namesLine, values: toValues(header, record) };
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

/** Spreadsheets write separators also behind the last column that has a name. */
function withoutEmptyEnd(cells: readonly string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
}

function isAsLong(record: readonly string[], header: readonly string[]): boolean {
  return record.length >= header.length && record.slice(header.length).every((cell) => cell.trim() === '');
}

/** The line with which a file tells Excel its separator. */
const separatorLine = /^sep=(.)$/i;

function findDelimiter(firstLine: string): string {
  const [, named] = separatorLine.exec(firstLine.trim().replaceAll('"', '')) ?? [];
  if (named !== undefined) return named;
  const count = (delimiter: string): number => firstLine.split(delimiter).length;
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}

async function peekFirstLine(
  chunks: AsyncIterable<string>,
): Promise<{ firstLine: string; all: AsyncGenerator<string> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  let start = '';
  while (!/\S[^\r\n]*[\r\n]/.test(start) && start.length < recordMaximumLength) {
    const next = await iterator.next();
    if (next.done === true) break;
    start += next.value;
  }
  async function* replay(): AsyncGenerator<string> {
    yield start;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return { firstLine: start.split(/[\r\n]/).find((line) => line.trim() !== '') ?? '', all: replay() };
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

/** What decides where an object ends. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]\n]/gs;

/**
 * Reads the objects of a JSON array, or those after each other. `JSON.parse` knows no lines, so this finds where each
 * object begins.
 */
export async function* readJsonRecords(chunks: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  const isArray = /^\s*\[/.test(text);
  const outer = isArray ? 1 : 0;
  let depth = 0;
  let line = 1;
  let begun = { index: 0, line };
  let end = 0;
  /** @throws RefusedError if there is anything but `expected` between two objects */
  const requireBetween = (index: number, expected: string): void => {
    const found = text.slice(end, index).replaceAll(/\s/g, '');
    if (found !== expected)
      throw new RefusedError([{ line, reason: `found "${found.slice(0, 20)}", expected "${expected}"` }]);
  };
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '\n') line += 1;
    if (token === '{' && depth === outer) {
      requireBetween(index, isArray ? (end === 0 ? '[' : ',') : '');
      begun = { index, line };
    }
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (token !== '}' || depth !== outer) continue;
    end = index + 1;
    yield {
      line: begun.line,
      namesLine: begun.line,
      values: parseObject(text.slice(begun.index, end), begun.line),
    };
  }
  if (depth > outer)
    throw new RefusedError([{ line, reason: `the entry that begins in line ${begun.line} is not closed` }]);
  requireBetween(text.length, isArray ? (end === 0 ? '[]' : ']') : '');
}

function parseObject(text: string, line: number): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    const detail = error instanceof Error ? error.message : '';
    throw new RefusedError([{ line, reason: `the entry is not JSON: ${detail}` }]);
  }
}
