import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { openStandardOutput } from './standard-output.ts';

/**
 * The fields of log lines, in addition to `level`, `time` and `msg`. They are a public interface:
 * `docs/observability.md` is generated from this table, and a missing field does not compile.
 */
export const logFields = {
  all: 'code messages of the last hour, of the job `code budgets`',
  allowed: 'the budget',
  at: 'the time that a board system gave',
  attempts: 'how often it was tried',
  because: 'why no code is sent yet: `number`, `user`, `budget`',
  blocked: 'what the Content Security Policy blocked',
  boardSystem: 'the name of the board system',
  check: 'what a sign-in still needs',
  clientId: 'the application',
  code: 'the error code of the answer',
  connection: 'the name of the connection',
  correlationId: 'the request, as error pages and the header `X-Correlation-Id` name it',
  count: 'how many',
  database: '`server` or `embedded`',
  databaseAheadMs: 'by how much the clock of the database has jumped',
  detail: 'the internal reason of an error, which the visitor does not see',
  details: 'of an audit event: see below',
  directive: 'the directive of the Content Security Policy',
  document: 'the page that violated the Content Security Policy, without its parameters',
  durationMs: 'how long the request took',
  err: 'the error: `type`, `message`, `code`, `stack`, `cause`',
  error: 'the OAuth error code',
  event: 'an audit event, `to-dos-received` or `to-dos-refused`',
  foreign: 'entries about sites that the key of a board system is not for',
  forgotten: 'removed rows by kind, of the job `tidy up`',
  isAllowed: 'whether the prefix of the phone number is allowed',
  isOver: 'whether it is not tried again',
  job: 'the name of the job',
  known: 'entries of a board system about members',
  line: 'the line of `source`',
  lines: 'how many lines of the log were left out',
  links: 'sessions that ended for another region',
  longestSeconds: 'how long stopping may take',
  machineAheadMs: 'by how much the clock of the machine is ahead of the clock of the database',
  mayHaveArrived: 'whether the message may have been sent nevertheless',
  method: 'the HTTP method',
  migrations: 'migrations that were applied',
  names: 'names of the reports of a front end',
  newer: 'entries of a board system that replaced older ones',
  noticeId: 'the notice',
  outcome: 'the result of sending the notice',
  userId: 'the id of the user',
  pid: 'the process id',
  port: 'the port that the service listens on',
  problems: 'reasons of readiness',
  proxy: 'the address that sent `X-Forwarded-For`',
  publicUrl: '`PUBLIC_URL`',
  range: 'code messages of the last hour to the busiest range of numbers, of the job `code budgets`',
  read: 'metadata documents that were read, of the job `metadata of providers`',
  reason: 'why',
  refused: 'metadata documents that were refused, of the job `metadata of providers`',
  region: 'the other region',
  result: '`success`, `failure`',
  route: 'the pattern of the route, never the address',
  scope: '`all` numbers or one `range` of numbers',
  sessionHash: 'keyed hash of the session id',
  site: 'the name of the site',
  source: 'the script that violated the Content Security Policy',
  status: 'the HTTP status',
  uid: 'the id of the sign-in',
  unknown: 'entries of a board system for unknown users or non-members',
  used: 'how much of the budget is used',
  waiting: 'events that wait to be written',
  waitSeconds: 'when a code may be sent',
} as const;

export type LogFields = Partial<Record<keyof typeof logFields, unknown>>;
type Write = { (fields: LogFields, message: string): void; (message: string): void };
/** The interface of the log that features use. */
export type Log = Readonly<Record<'fatal' | 'error' | 'warn' | 'info' | 'debug', Write>>;

/** No code logs these values on purpose; redaction covers mistakes. */
const secretNames = [
  'password',
  'currentPassword',
  'newPassword',
  'newPasswordConfirmation',
  'token',
  'secret',
  'cookie',
  'authorization',
  'phoneNumber',
  'phone_number',
  'password_hash',
  'cookieValue',
];
/** Objects with visitors' input, whose content is unknown. */
const foreignNames = ['body', 'payload', 'input', 'query', 'headers'];

/** Writes JSON lines with UTC times. */
export function createLog(level: string, destination: DestinationStream = openStandardOutput()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [...foreignNames, ...secretNames.flatMap((name) => [name, `*.${name}`])],
        censor: '[secret]',
      },
      serializers: { err: describeError },
    },
    destination,
  );
}

type ErrorDescription = {
  type: string;
  message: string;
  code?: unknown;
  stack?: string;
  cause?: ErrorDescription;
};

/** Returns only safe members of an error. In database and validation errors, other members contain visitors' input. */
function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  return {
    type: error.name,
    message: error.message,
    ...('code' in error && { code: error.code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
