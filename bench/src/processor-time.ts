import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Clock ticks per second in `/proc`, a constant of Linux. */
const ticksPerSecond = 100;

/** The CPU time of a PostgreSQL server so far: of its postmaster, its running processes, and its ended processes. */
export function postgresProcessorSeconds(data: string): number {
  const postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = readStat(Number(pid));
    if (stat === undefined) continue;
    if (Number(pid) === postmaster) ticks += stat.own + stat.ofEnded;
    else if (stat.parent === postmaster) ticks += stat.own;
  }
  return ticks / ticksPerSecond;
}

/** The CPU time of a process so far, and of the children that it has waited for. */
export function processSeconds(pid: number): number {
  const stat = readStat(pid);
  return stat === undefined ? Number.NaN : (stat.own + stat.ofEnded) / ticksPerSecond;
}

/** The CPU time of the ended children of this process. */
export const childrenSeconds = (): number => (readStat(process.pid)?.ofEnded ?? Number.NaN) / ticksPerSecond;

/** Reads the fields after the program's name in brackets (proc(5)). Undefined for a process that has ended. */
function readStat(pid: number): { parent: number; own: number; ofEnded: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { parent: fields[1] ?? 0, own: user + system, ofEnded: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
