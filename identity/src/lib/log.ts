import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

/** Nothing of these is ever given to the log on purpose; should it happen by accident, it stays out all the same. */
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
/** Whole things that visitors send: what is in them is never known. */
const foreignNames = ['body', 'payload', 'input', 'query', 'headers'];

/** What waits for a disk with room, or for a reader: the lines of a busy second. Later ones are left out, and there is no end of memory. */
const waitingBytes = 1024 * 1024;

/**
 * JSON lines with UTC times. Without `destination` they go to standard output, and nobody waits until they are there: a full disk or a
 * reader that reads no more must neither stop a sign-in nor end the process (attacks and faults, F05).
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const stream = destination ?? pino.destination({ fd: 1, sync: false, maxLength: waitingBytes });
  if (stream instanceof EventEmitter) stream.on('error', () => undefined);
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
    stream,
  );
}

type ErrorDescription = {
  type: string;
  message: string;
  code?: unknown;
  stack?: string;
  cause?: ErrorDescription;
};

/** Only what is known to be harmless: a database or validation error carries values of the visitor in further members. */
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
