import type { CallHandler } from '../http/implementation.ts';
import { rateLimitErrorId } from '../http/rate-limit-page.ts';
import { ContractError } from '../http/errors.ts';
import type { ErrorRecords } from './error-records.ts';

/** `GET /api/ui/error-message`: what the error page shows. */
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
