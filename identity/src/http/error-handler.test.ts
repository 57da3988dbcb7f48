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

test('a contract error is returned with its status, description and wait, and its detail is only logged [I34]', async () => {
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

test('an unexpected error is returned as internal_error, and its reason is only logged [I34]', async () => {
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
  ['connection refused', failure('connect ECONNREFUSED', 'ECONNREFUSED')],
  ['server shutdown', failure('terminating connection due to administrator command', '57P01')],
  ['statement timeout', failure('canceling statement due to statement timeout', '57014')],
  ['disk full', failure('could not extend file', '53100')],
  ['too many connections', failure('sorry, too many clients already', '53300')],
  ['no free connection', new Error('timeout exceeded when trying to connect')],
  ['connection lost', new Error('Connection terminated unexpectedly')],
  [
    'all addresses of the host refused',
    new AggregateError([failure('connect ECONNREFUSED', 'ECONNREFUSED')]),
  ],
])('an unavailable database (%s) returns 503 with Retry-After of at most 2 s', async (_why, error) => {
  expect(await answerTo(error)).toEqual({ status: 503, retryAfter: '2', body: { code: 'overloaded' } });
});

test.each([
  ['a duplicate key', failure('duplicate key value', '23505')],
  ['a statement with an error', failure('syntax error', '42601')],
])('%s is a defect, not a temporary failure', async (_what, error) => {
  expect(await answerTo(error)).toMatchObject({ status: 500, body: { code: 'internal_error' } });
});
