// Recognises temporary failures of the database, after which the response is 503 and the visitor can try again.

import { DatabaseSettingError } from './connection-settings.ts';

/** `read_only_sql_transaction` */
const readOnlyState = '25006';

/** The database has left a statement unanswered. For a commit, it is unknown whether the change was made. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';

  constructor(message = 'The database has left a statement unanswered') {
    super(message);
  }
}

/** The server is read-only: a standby, or the primary that a standby has replaced. */
export class ReadOnlyServerError extends Error {
  override readonly name = 'ReadOnlyServerError';
  readonly code = readOnlyState;

  constructor() {
    super('The database server is read-only');
  }
}

/** Whether the error means that the server is read-only. */
export function isReadOnlyServer(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === readOnlyState;
}

/** The `Retry-After` of a temporary failure. */
export const databaseRetryAfterSeconds = 2;

/** SQLSTATE classes: 08 connection, 53 resources (disk full, too many connections), 57 operator (shutdown, statement timeout), 58 system. */
const passingClasses = new Set(['08', '53', '57', '58']);
/**
 * 40001 and 40P01: the transaction conflicted with another one; 25P03: it was idle for too long; 25006: read-only
 * standby; 55P03: lock not available.
 */
const passingStates = new Set(['40001', '40P01', '25P03', '25006', '55P03']);
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** The message of `pg` if no connection became free in time. */
export const poolBusy = 'timeout exceeded when trying to connect';
/** Messages of `pg` without a code. */
const connectionLost =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end|Client was closed)/;

/** Whether the error means that the database is temporarily unavailable. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof UnansweredError || error instanceof DatabaseSettingError) return true;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (networkCodes.has(code) || passingStates.has(code)) return true;
  if (/^[0-9A-Z]{5}$/.test(code)) return passingClasses.has(code.slice(0, 2));
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  return connectionLost.test(error.message);
}

/** Whether the error means that every connection was busy; it says nothing about the database. */
export function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(poolBusy);
}
