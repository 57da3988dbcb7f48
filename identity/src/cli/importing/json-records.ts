import { RefusedError } from '../../admin/problems.ts';
import { recordMaximumLength } from './file-record.ts';
import type { FileRecord } from './file-record.ts';

/** The token that is expected outside of objects. */
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
