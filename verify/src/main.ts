#!/usr/bin/env node
import { runVerifyCommand } from './command.ts';

process.exitCode = await runVerifyCommand(process.argv.slice(2), {
  startedIn: process.env['INIT_CWD'] ?? process.cwd(),
  print: (text) => process.stdout.write(`${text}\n`),
  note: (text) => process.stderr.write(`${text}\n`),
});
