import type { AdminResources } from '../admin/context.ts';
import { runProgram } from './program.ts';
import { createTerminal } from './terminal.ts';
import { openResources } from './open-resources.ts';

// The entry point of `npx anteroom …`: runs one command.

// The parent process has died, perhaps by kill -9. Exiting rolls back the transaction.
process.on('disconnect', () => process.exit(1));
process.channel?.unref();

// A reader such as `head` has closed the pipe, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

// A pseudo-terminal may report no size. Prompts would then be drawn with one character per line.
if (process.stderr.columns === 0) Object.assign(process.stderr, { columns: 80, rows: 24 });

const readingCommands = ['list', 'show', 'test', 'guide', 'labels', 'export'];
const isReading = process.argv[2] === 'check' || readingCommands.includes(process.argv[3] ?? '');
let resources: Promise<AdminResources> | undefined;
const terminal = createTerminal({ input: process.stdin, output: process.stdout, errors: process.stderr });
try {
  process.exitCode = await runProgram(process.argv.slice(2), {
    terminal,
    open: () => (resources ??= openResources(process.env, terminal.note, { mayCreate: !isReading })),
    startedIn: process.env['INIT_CWD'] ?? process.cwd(),
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await resources?.then(({ close }) => close()).catch(() => undefined);
  process.stdin.destroy();
}
