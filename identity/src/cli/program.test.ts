import { Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { runProgram } from './program.ts';
import { createTerminal } from './terminal.ts';

/** Runs a command that must not open the database. */
async function run(words: readonly string[]): Promise<{ code: number; output: string; errors: string }> {
  const written = { output: '', errors: '' };
  const capture = (name: 'output' | 'errors') =>
    new Writable({
      write(chunk, _encoding, done) {
        written[name] += String(chunk);
        done();
      },
    });
  const streams = { input: Readable.from([]), output: capture('output'), errors: capture('errors') };
  const code = await runProgram(words, {
    terminal: createTerminal(streams),
    open: () => Promise.reject(new Error('the database was opened')),
    startedIn: import.meta.dirname,
  });
  return { code, ...written };
}

describe('invalid usage', () => {
  test.each([
    [[]],
    [['boards']],
    [['sites']],
    [['sites', 'rename']],
    [['sites', 'add', 'x', '--colour', 'red']],
    [['sites', 'add']],
    [['users', 'add', 'x', '--first-name', 'A']],
    [['users', 'import']],
    [['users', 'disable']],
    [['users', 'invite', 'x', '--language', 'tlh']],
    [['users', 'invite', 'x', '--days', '0']],
    [['users', 'invite', 'x', '--days', '31']],
    [['members', 'disable', 'x']],
    [['sites', 'list', '--limit', '0']],
    [['sites', 'list', '--json', '--csv']],
    [['users', 'add', 'x', '--update', '--password-stdin']],
  ])('exits with 2 and a reason: %j', async (words) => {
    const refused = await run(words);
    expect(refused).toMatchObject({ code: 2, output: '' });
    expect(refused.errors).not.toBe('');
  });
});

describe('help', () => {
  test.each([
    [['--help'], 'members'],
    [['help', 'users'], 'set-password'],
    [['users', 'add', '--help'], '--phone-number'],
    [['sites', 'import', '--help'], 'Fields: name, displayName'],
    [['--version'], '0.'],
  ])('%j exits with 0 without opening the database', async (words, expected) => {
    const help = await run(words);
    expect(help).toMatchObject({ code: 0, errors: '' });
    expect(help.output).toContain(expected);
  });
});

test('an invalid value is reported without opening the database', async () => {
  expect(await run(['sites', 'add', 'a/b', '--display-name', 'X'])).toEqual({
    code: 1,
    output: '',
    errors: 'name: must not contain / \\ ? # or %\n',
  });
});
