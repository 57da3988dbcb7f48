#!/usr/bin/env node
// `npx anteroom`: the operators' command line, through the same front door as every script, which finds the pinned Node.
// Files are named from the folder that somebody stands in; the door goes to the checkout's own.
process.env['INIT_CWD'] = process.cwd();
process.argv.splice(2, 0, 'identity/src/cli/main.ts');
await import('../../tools/enter.mjs');
