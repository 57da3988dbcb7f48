import type { StoredRecord } from './records-store.ts';
import type { Subject } from './subjects-store.ts';

// Records that one statement has read and the provider asks for later in the same request.

/** `subject`: the user of the record, as a token for it describes the user. */
type ReadAhead = StoredRecord & { subject?: Subject | null };

const readAhead = new WeakMap<object, ReadAhead[]>();

export function keepReadAhead(request: object, records: readonly ReadAhead[]): void {
  readAhead.set(request, [...records]);
}

export function findReadAhead(
  request: object,
  matches: (record: StoredRecord) => boolean,
): ReadAhead | undefined {
  return readAhead.get(request)?.find(matches);
}

/** Returns each record once, except for codes and tokens, which the provider does not ask for again. */
export function takeRecord(
  request: object,
  matches: (record: StoredRecord) => boolean,
): StoredRecord | undefined {
  const records = readAhead.get(request);
  const index = records?.findIndex(matches) ?? -1;
  return records?.splice(index, index === -1 ? 0 : 1)[0];
}
