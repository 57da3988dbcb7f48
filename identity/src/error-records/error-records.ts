import type { Exchange } from '../http/exchange.ts';

/** A failure that ended a flow, to be shown on the error page. Nothing private may stand in it. */
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

/** Kept for an hour, found by an unguessable id. */
export type ErrorRecords = {
  /**
   * Answers the id for `/ui/home/error?errorId=…`.
   * @throws `rate_limit_reached` when the address of a visitor without a session has caused too many.
   */
  store: (
    record: NewErrorRecord,
    occasion: Pick<Exchange, 'correlationId' | 'requireAnonymousAllowance'>,
  ) => Promise<string>;
  find: (id: string) => Promise<StoredErrorRecord | undefined>;
};
