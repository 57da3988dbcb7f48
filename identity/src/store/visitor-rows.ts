import { ContractError } from '../http/errors.ts';

/** Four times the limit of a request's parameters, which the provider's record of a sign-in repeats in part. */
const rowLimitBytes = 16 * 1024;

/**
 * Permission to insert the rows that one request of a visitor leaves, even without a session. Every function that
 * inserts such a row takes it as a parameter, and only `Exchange.requireAnonymousAllowance` gives it. So a row is counted
 * where it is inserted, whichever route leads there (attacks and faults, S67).
 */
export type VisitorRows = {
  /**
   * Returns the row.
   * @throws `validation_failed` if it is too large
   */
  bounded: <Row extends object>(row: Row) => Row;
};

export const visitorRows: VisitorRows = {
  bounded(row) {
    if (Buffer.byteLength(JSON.stringify(row)) > rowLimitBytes)
      throw new ContractError('validation_failed', { detail: 'a visitor’s row is too large' });
    return row;
  },
};
