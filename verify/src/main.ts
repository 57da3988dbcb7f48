#!/usr/bin/env node
import { runVerifyCommand } from './command.ts';

// `anteroom-verify --list | head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2));

process.exitCode = await runVerifyCommand(process.argv.slice(2), {
  startedIn: process.env['INIT_CWD'] ?? process.cwd(),
  print: (text) => process.stdout.write(`${text}\n`),
  note: (text) => process.stderr.write(`${text}\n`),
});
