import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { AuditEvent } from '../audit/audit.ts';
import { writeEvents } from '../audit/audit-store.ts';
import type { Database } from '../store/schema.ts';
import type { Outcome } from './noun.ts';

/** One command is one occasion: what it did is found by one correlation id. */
const correlationId = `command-${randomUUID()}`;

/** So many changes of one command are noted one by one; of a longer import the counts. */
const notedOneByOne = 200;

/**
 * Notes what an operator did, in the transaction that does it: there is no change without its row. The operator is
 * the name of `--as`, else the user of the operating system. It is not authenticated: an operator who may run a command on this machine
 * has the database's password anyway.
 */
export async function noteOperatorEvents(
  transaction: Database,
  now: Date,
  events: readonly Omit<AuditEvent, 'result'>[],
): Promise<void> {
  if (events.length === 0) return;
  const operator = operatorName();
  await writeEvents(
    transaction,
    events.map((event) => ({
      ...event,
      result: 'success',
      details: { ...event.details, operator },
      at: now,
      correlationId,
    })),
  );
}

/** What a command added and changed. Values are not noted: among them are people's numbers and addresses. */
export async function noteOutcome(
  transaction: Database,
  now: Date,
  noun: string,
  { added, changed, concerns }: Outcome,
): Promise<void> {
  const count = added.length + changed.length;
  if (count > notedOneByOne) {
    const details = { noun, added: String(added.length), changed: String(changed.length) };
    await noteOperatorEvents(transaction, now, [{ event: 'operator.change', details }]);
    return;
  }
  await noteOperatorEvents(transaction, now, [
    ...added.map((name) => ({
      event: 'operator.change' as const,
      ...concerns.get(name),
      details: { noun, verb: 'add', name },
    })),
    ...changed.map(({ name, changes }) => ({
      event: 'operator.change' as const,
      ...concerns.get(name),
      details: { noun, verb: 'change', name, fields: Object.keys(changes).join(' ') },
    })),
  ]);
}

let operatorSaid: string | undefined;

/** The operator that `--as` names, for the whole command. */
export function setOperator(name: string | undefined): void {
  operatorSaid = name;
}

function operatorName(): string {
  // with sudo the operating system says root, whoever it is
  const named = operatorSaid ?? process.env['SUDO_USER'];
  if (named !== undefined && named !== '') return named;
  try {
    return userInfo().username;
  } catch {
    // a container's user may have no name
    return String(process.getuid?.() ?? 'unknown');
  }
}
