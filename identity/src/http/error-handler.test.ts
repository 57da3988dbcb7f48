import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createLog } from '../lib/log.ts';
import { answerError } from './error-handler.ts';
import { ContractError } from './errors.ts';

const lines: Record<string, unknown>[] = [];

async function answerTo(error: unknown) {
  lines.length = 0;
  const app = Fastify({
    loggerInstance: createLog('info', {
      write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    }),
  });
  app.setErrorHandler(answerError);
  app.get('/', () => Promise.reject(error));
  const { statusCode, headers, body } = await app.inject('/');
  await app.close();
  return { status: statusCode, retryAfter: headers['retry-after'], body: JSON.parse(body) as unknown };
}

const failure = (message: string, code: string): Error => Object.assign(new Error(message), { code });

test('a contract error is told with its status, description and wait, and its detail stays in the log', async () => {
  const error = new ContractError('rate_limit_reached', {
    description: 'Please <b>wait</b>.',
    retryAfterSeconds: 59.2,
    detail: 'account abc',
  });
  expect(await answerTo(error)).toEqual({
    status: 429,
    retryAfter: '60',
    body: { code: 'rate_limit_reached', description: 'Please <b>wait</b>.' },
  });
  expect(JSON.stringify(lines)).toContain('account abc');
});

test('what nobody foresaw is internal_error, with the reason in the log alone', async () => {
  const error = Object.assign(new Error('secret table is missing'), {
    query: 'select password',
    cause: new Error('why'),
  });
  expect(await answerTo(error)).toEqual({
    status: 500,
    retryAfter: undefined,
    body: { code: 'internal_error' },
  });
  const line = lines.find(({ code }) => code === 'internal_error');
  expect(line).toMatchObject({
    level: 'error',
    err: { message: 'secret table is missing', cause: { message: 'why' } },
  });
  expect(JSON.stringify(line)).not.toContain('select password');
});

test.each([
  ['nobody listens', failure('connect ECONNREFUSED', 'ECONNREFUSED')],
  ['the server shuts down', failure('terminating connection due to administrator command', '57P01')],
  ['the statement took too long', failure('canceling statement due to statement timeout', '57014')],
  ['the disk is full', failure('could not extend file', '53100')],
  ['there are too many connections', failure('sorry, too many clients already', '53300')],
  ['no connection became free', new Error('timeout exceeded when trying to connect')],
  ['the connection broke', new Error('Connection terminated unexpectedly')],
  [
    'every address of the host refused',
    new AggregateError([failure('connect ECONNREFUSED', 'ECONNREFUSED')]),
  ],
])('when the database cannot answer (%s): 503 with Retry-After of 2 s at most', async (_why, error) => {
  expect(await answerTo(error)).toEqual({ status: 503, retryAfter: '2', body: { code: 'overloaded' } });
});

test.each([
  ['a duplicate key', failure('duplicate key value', '23505')],
  ['a mistake in a statement', failure('syntax error', '42601')],
])('%s is a mistake of ours, not a moment to wait', async (_what, error) => {
  expect(await answerTo(error)).toMatchObject({ status: 500, body: { code: 'internal_error' } });
});
