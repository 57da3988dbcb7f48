// Runs a script of Node and prints its CPU time in seconds. A separate process, because the system reports the CPU time
// of children only in sum.
import { spawnSync } from 'node:child_process';
import { childrenSeconds } from './processor-time.ts';

const { status, stderr } = spawnSync(process.execPath, process.argv.slice(2), { encoding: 'utf8' });
if (status !== 0) throw new Error(stderr);
process.stdout.write(String(childrenSeconds()));
