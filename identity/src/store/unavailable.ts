// Which failures of the database pass by themselves: the visitor is told to try again in a moment (503), and nothing is let through meanwhile.

/** `read_only_sql_transaction` */
const readOnlyState = '25006';

/** The database has left a statement unanswered. If it was a commit, whether the change was made is unknown. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';

  constructor(message = 'The database has left a statement unanswered') {
    super(message);
  }
}

/** The server only reads: it is a standby, or the primary that a standby has replaced. */
export class ReadOnlyServerError extends Error {
  override readonly name = 'ReadOnlyServerError';
  readonly code = readOnlyState;

  constructor() {
    super('The database server only reads');
  }
}

/** Whether `error` says that the server only reads. */
export function isReadOnlyServer(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === readOnlyState;
}

/** Seconds after which trying again makes sense. */
export const databaseRetryAfterSeconds = 2;

/** SQLSTATE classes: 08 connection, 53 resources (disk full, too many connections), 57 operator (shutdown, statement time-out), 58 system. */
const passingClasses = new Set(['08', '53', '57', '58']);
/** 40001 and 40P01: the transaction lost against another one; 25P03: it idled too long. 25006: a standby that only reads, 55P03: lock not available. */
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
/** As `pg` says it. */
export const poolBusy = 'timeout exceeded when trying to connect';
/** What `pg` says without a code. */
const connectionLost =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end|Client was closed)/;

/** Whether `error` says that the database cannot answer at present. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof UnansweredError) return true;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (networkCodes.has(code) || passingStates.has(code)) return true;
  if (/^[0-9A-Z]{5}$/.test(code)) return passingClasses.has(code.slice(0, 2));
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  return connectionLost.test(error.message);
}

/** Whether `error` says that every connection was at work, and nothing about the database. */
export function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(poolBusy);
}
