import { createLog } from '../src/lib/log.ts';
import { openStandardOutput } from '../src/lib/standard-output.ts';
import { stopOnSignal } from '../src/process/shutdown.ts';

// A process that logs faster than its reader, and shuts down like the service.

const output = openStandardOutput((lines) => log.warn({ lines }, 'lines were left out of the log'));
const log = createLog('info', output);
for (let line = 0; line < 3000; line += 1) log.info({ line, text: 'x'.repeat(500) }, 'said');
stopOnSignal(() => Promise.resolve(), { log, output, longestSeconds: 15 });
setInterval(() => undefined, 60_000);
process.stderr.write(`left out: ${output.lost()}\n`);
