import { Readable, Writable } from 'node:stream';
import { createAdminResources } from '../src/admin/admin-context.ts';
import { shellActor } from '../src/admin/actor.ts';
import type { AdminContext } from '../src/admin/admin-context.ts';
import { runProgram } from '../src/cli/program.ts';
import { createTerminal } from '../src/cli/terminal.ts';
import { parseConfig } from '../src/config/config.ts';
import { loadKeysForCommand } from '../src/keys/load-keys.ts';
import { createLog } from '../src/lib/log.ts';
import { secureRandom } from '../src/lib/random.ts';
import type { TestDatabase } from './describe-store.ts';
import { createTestKeys } from './application.ts';
import { movableClock } from './movable-clock.ts';
import type { MovableClock } from './movable-clock.ts';

export type CommandResult = {
  code: number;
  output: string;
  errors: string;
  /** The entries that `--json` printed. */
  json: () => Record<string, unknown>[];
};

export type CommandLine = {
  /** Runs a command. A string is split at its spaces; there is no quoting. */
  run: (words: string | readonly string[], input?: string | Buffer) => Promise<CommandResult>;
  /** For calling operations directly. */
  context: AdminContext;
  clock: MovableClock;
};

const ownKeys = createTestKeys();

/** Creates a command line on a test database, without a terminal. */
export function createCommandLine(
  { database }: Pick<TestDatabase, 'database'>,
  clock: MovableClock = movableClock(new Date('2026-03-02T10:00:00.000Z')),
  settings: Readonly<Record<string, string>> = {},
  keys = ownKeys,
): CommandLine {
  const config = parseConfig({
    NODE_ENV: 'test',
    ARGON2_MEMORY_KIB: '8',
    ARGON2_TIME_COST: '1',
    ...settings,
  });
  const log = createLog('silent');
  const given = { config, database, clock, log, close: () => Promise.resolve() };
  // a test that sets SECRETS also uses the keys that are stored in its database
  const resources = createAdminResources(given, async () =>
    'SECRETS' in settings ? await loadKeysForCommand(config, database, { random: secureRandom }) : keys,
  );
  return {
    context: { ...resources, operation: { actor: shellActor('tester'), correlationId: 'test-operation' } },
    clock,
    async run(words, input = '') {
      const output = collect();
      const errors = collect();
      const streams = {
        input: Readable.from([Buffer.from(input)]),
        output: output.stream,
        errors: errors.stream,
      };
      const code = await runProgram(typeof words === 'string' ? words.split(' ') : words, {
        terminal: createTerminal(streams),
        open: () => Promise.resolve(resources),
        startedIn: import.meta.dirname,
      });
      return {
        code,
        output: output.text(),
        errors: errors.text(),
        json: () =>
          output
            .text()
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as Record<string, unknown>),
      };
    },
  };
}

function collect(): { stream: Writable; text: () => string } {
  let written = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  return { stream, text: () => written };
}
