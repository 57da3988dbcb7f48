// npm run bench [name …]: measures the product against its budgets.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { reportFolder } from '../../tools/root.ts';
import { chaos, failover, sequences } from './chaos.ts';
import { consoleView } from './console-view.ts';
import { isWithinBudget, toTable } from './figure.ts';
import type { Bench } from './figure.ts';
import { firstScreen } from './first-screen.ts';
import { nodes } from './nodes.ts';
import { operators } from './operators.ts';
import { scale } from './scale.ts';
import { signIns } from './sign-ins.ts';
import { siteList } from './site-list.ts';
import { start } from './start.ts';
import { weight } from './weight.ts';

const benches: readonly Bench[] = [weight, firstScreen, siteList, signIns, start];
/** Benchmarks that take long or need a separate server, so they run only on request. */
const onRequest: readonly Bench[] = [nodes, scale, operators, consoleView, chaos, failover, sequences];

const wanted = process.argv.slice(2);
const known = [...benches, ...onRequest];
const unknown = wanted.filter((name) => !known.some((bench) => bench.name === name));
if (unknown.length > 0) {
  process.stderr.write(`There is no bench ${unknown.join(', ')}; there are:\n`);
  for (const { name, about } of known) process.stderr.write(`  ${name.padEnd(14)} ${about}\n`);
  process.exit(1);
}

const folder = join(reportFolder, 'bench');
mkdirSync(folder, { recursive: true });
const processor = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'processor'}`;

const chosen = wanted.length === 0 ? benches : known.filter(({ name }) => wanted.includes(name));

for (const bench of chosen) {
  process.stdout.write(`${bench.name}: ${bench.about}\n`);
  const figures = await bench.run();
  process.stdout.write(`\n${toTable(figures)}\n\n`);
  const report = {
    bench: bench.name,
    at: new Date().toISOString(),
    processor,
    node: process.version,
    figures,
  };
  writeFileSync(join(folder, `${bench.name}.json`), `${JSON.stringify(report, null, 2)}\n`);
  if (!figures.every(isWithinBudget)) process.exitCode = 1;
}
