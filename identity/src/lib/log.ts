import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { openStandardOutput } from './standard-output.ts';

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

/** JSON lines with UTC times. */
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
