#!/usr/bin/env node
// `npx anteroom`: the operators' command line. Files are named from the folder that the operator stands in; the process runs in the checkout.
import { runOnPinnedNode } from '../../tools/run-on-pinned-node.mjs';

process.env['INIT_CWD'] = process.cwd();
const [command, ...rest] = process.argv.slice(2);
if (command === 'verify-service') runOnPinnedNode('verify/src/main.ts', rest);
else runOnPinnedNode('identity/src/cli/main.ts', process.argv.slice(2));
