#!/usr/bin/env node
// Runs `npx anteroom-verify` in a checkout; the published package contains the compiled command.
import { runOnPinnedNode } from '../../tools/run-on-pinned-node.mjs';

process.env['INIT_CWD'] = process.cwd();
runOnPinnedNode('verify/src/main.ts', process.argv.slice(2));
