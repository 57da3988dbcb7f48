#!/usr/bin/env node
// `npx anteroom`: the operators' command line. Files are named from the folder that the operator stands in; the process runs in the checkout.
import { runOnPinnedNode } from '../../tools/run-on-pinned-node.mjs';

process.env['INIT_CWD'] = process.cwd();
runOnPinnedNode('identity/src/cli/main.ts', process.argv.slice(2));
