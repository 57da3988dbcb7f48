import * as v from 'valibot';
import type { Exchange } from '../http/exchange.ts';
import type { CallHandler } from '../http/routes.ts';
import { rateLimitErrorId } from '../http/page-addresses.ts';
import { ContractError } from '../http/errors.ts';
import { addSeconds } from '../lib/clock.ts';
import type { StoreContext } from '../store/store-context.ts';

/** A failure that ended a flow, for the error page. It must not contain private data. */
export type NewErrorRecord = {
  /** The error code, such as `invalid_request` or `email_claim_not_found`. */
  error: string;
  /** May be HTML; the front end sanitises it. */
  description?: string | undefined;
  data?: Record<string, string>;
};

export type StoredErrorRecord = {
  error: string;
  description: string | undefined;
  data: Record<string, string>;
  correlationId: string;
  createdAt: Date;
};

/** Records of failures. Each is stored for an hour and found by an unguessable id. */
export type ErrorRecords = {
  /**
   * Stores a record and returns its id, for `/ui/home/error?errorId=…`.
   * @throws `rate_limit_reached` if the address of a visitor without a session has caused too many records
   */
  store: (
    record: NewErrorRecord,
    occasion: Pick<Exchange, 'correlationId' | 'requireAnonymousAllowance'>,
  ) => Promise<string>;
  find: (id: string) => Promise<StoredErrorRecord | undefined>;
};

/** `GET /api/ui/error-message`: the record that the error page shows. */
export function createGetErrorMessage({
  errorRecords,
}: {
  errorRecords: ErrorRecords;
}): CallHandler<'getErrorMessage'> {
  return async ({ query }) => {
    if (query.errorId === rateLimitErrorId) return { error: rateLimitErrorId };
    const record = await errorRecords.find(query.errorId);
    if (record === undefined) throw new ContractError('not_found');
    return {
      error: record.error,
      errorDescription: record.description,
      errorData: record.data,
      correlationId: record.correlationId,
      timestamp: record.createdAt.toISOString(),
    };
  };
}

/**
 * The page reads the record at once, and a visitor may reload the page. The log contains the same correlation id for
 * longer.
 */
const keepSeconds = 60 * 60;
/** Values from visitors and providers are truncated, so that requests cannot fill the database. */
const longestText = 1000;
const mostData = 4;

const dataOfRow = v.record(v.string(), v.string());

export function createErrorRecords({ database, clock, random }: Omit<StoreContext, 'keyRing'>): ErrorRecords {
  return {
    async store({ error, description, data = {} }, { correlationId, requireAnonymousAllowance }) {
      const rows = await requireAnonymousAllowance();
      const id = random.token(16);
      const now = clock.now();
      const kept = Object.entries(data)
        .slice(0, mostData)
        .map(([name, value]): [string, string] => [storable(name), storable(value)]);
      await database
        .insertInto('error_records')
        .values(
          rows.bounded({
            id,
            error: storable(error),
            description: description === undefined ? null : storable(description),
            data: JSON.stringify(Object.fromEntries(kept)),
            correlation_id: correlationId,
            created_at: now,
            expires_at: addSeconds(now, keepSeconds),
          }),
        )
        .execute();
      return id;
    },

    async find(id) {
      // No id contains NUL, and PostgreSQL would reject the statement.
      if (id.includes('\0')) return undefined;
      const row = await database
        .selectFrom('error_records')
        .selectAll()
        .where('id', '=', id)
        .where('expires_at', '>', clock.now())
        .executeTakeFirst();
      return (
        row && {
          error: row.error,
          description: row.description ?? undefined,
          data: inOrder(v.parse(dataOfRow, row.data)),
          correlationId: row.correlation_id,
          createdAt: row.created_at,
        }
      );
    },
  };
}

/** The lines that the specification names, in the order of the specification (point 8, error page codes). */
const namedFirst = ['Email Address', 'Claim Name'];

/** Sorts the lines, because the database does not keep their order (`jsonb` puts shorter names first). */
function inOrder(data: Record<string, string>): Record<string, string> {
  const placeOf = (name: string): number => namedFirst.indexOf(name) + 1 || namedFirst.length + 1;
  const lines = Object.entries(data).toSorted(
    ([one], [other]) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1),
  );
  return Object.fromEntries(lines);
}

/** Removes characters that PostgreSQL rejects, and truncates the text. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().slice(0, longestText).toWellFormed();
}
