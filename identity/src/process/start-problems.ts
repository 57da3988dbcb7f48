import { ConfigError } from '../config/config.ts';
import type { Config } from '../config/config.ts';
import { MissingKeyError } from '../keys/keys-in-use.ts';
import { DatabaseSettingError } from '../store/connection-settings.ts';
import { DirectoryLockError } from '../store/directory-lock.ts';
import { describeServers } from '../store/server-hosts.ts';

/** Explanations of errors that are common when a database server is set up, by SQLSTATE or network error code. */
const databaseFaults: Readonly<Record<string, string>> = {
  '28P01': 'the server refuses the user name or the password',
  '28000': 'the server refuses this user from this machine (pg_hba.conf)',
  '3D000': 'there is no database of that name on the server',
  '42501': 'the user lacks a right that the tables need',
  '53300': 'the server has no connection left (max_connections)',
  '57P03': 'the server is starting or shutting down',
  '25006': 'the database only reads: it is a standby',
  'connect ENOENT': 'there is no socket of a server in that folder',
  'connect EACCES': 'this user must not use the socket of the server',
  ECONNREFUSED: 'nothing accepts connections there',
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its host name could not be looked up',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ECONNRESET: 'it closed the connection',
};

/** The output of a process that cannot start: one sentence for an operator, or the stack trace of a bug. */
export function describeFailedStart(error: unknown, config: Config | undefined): string {
  const isForUsers = [ConfigError, DatabaseSettingError, DirectoryLockError, MissingKeyError].some(
    (kind) => error instanceof kind,
  );
  if (isForUsers && error instanceof Error) return error.message;
  return explainStartProblem(error, config) ?? describe(error);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Explains in one sentence an error that the machine or the database causes at the start; undefined for a bug. */
export function explainStartProblem(error: unknown, config: Config | undefined): string | undefined {
  if (error instanceof DatabaseSettingError) return error.message;
  const code = codeOf(error);
  if (code === undefined || config === undefined) return undefined;
  const port = `Port ${config.port} on ${config.host}`;
  if (code === 'EADDRINUSE') return `${port} is in use by another process: stop that one, or set PORT.`;
  if (code === 'EADDRNOTAVAIL') return `${port}: this machine has no such address. Set HOST.`;
  if (code === 'EACCES' && isListening(error)) return `${port} is not allowed to this user. Set PORT.`;
  if (config.database.kind !== 'server') return undefined;
  const reason = findDatabaseFault(error, code);
  if (reason === undefined) return undefined;
  const { database, hosts } = describeServers(config.database.urls);
  return `The database ${database} at ${hosts} cannot be used: ${reason} (${code}). Set DATABASE_URL, or mend the server.`;
}

/** Explains in one sentence why the database cannot be used while the service runs. */
export function explainDatabaseProblem(error: unknown): string {
  const code = codeOf(error);
  const known = code === undefined ? undefined : findDatabaseFault(error, code);
  if (known !== undefined) return `The database cannot be used: ${known} (${code})`;
  return `The database cannot be used: ${error instanceof Error ? error.message : String(error)}`;
}

/** The codes of a missing or forbidden socket are also those of a file. */
function findDatabaseFault(error: unknown, code: string): string | undefined {
  const isConnecting = error instanceof Error && 'syscall' in error && error.syscall === 'connect';
  return databaseFaults[isConnecting ? `connect ${code}` : code] ?? databaseFaults[code];
}

function codeOf(error: unknown): string | undefined {
  // if a host name has several addresses, the error contains one error for each
  if (error instanceof AggregateError && !('code' in error)) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // a failed migration has the database's error as its cause
  if (error.cause !== undefined) return codeOf(error.cause);
  return error.message.startsWith('timeout exceeded when trying to connect') ? 'ETIMEDOUT' : undefined;
}

function isListening(error: unknown): boolean {
  return (
    error instanceof Error && 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'bind')
  );
}
