import type { IncomingHttpHeaders } from 'node:http';
import type { Call, CallInputOf } from '@anteroom/contract';
import * as v from 'valibot';
import { ContractError } from './errors.ts';
import { requireHarmless } from './json-body.ts';

/** Only this, to the letter: every other content type can be sent by a plain form of another site, without a preflight. */
const jsonContentType = /^application\/json(?:\s*;\s*charset=utf-8)?$/i;

/** @throws `unsupported_media_type` */
export function requireJson(headers: IncomingHttpHeaders): void {
  const { 'content-type': type = '', 'content-encoding': encoding } = headers;
  if (!jsonContentType.test(type) || encoding !== undefined)
    throw new ContractError('unsupported_media_type');
}

/**
 * What a handler of the call receives.
 * @throws `validation_failed`, with the places that do not fit
 */
export function parseInput<TCall extends Call>(
  call: TCall,
  request: { params: unknown; query: unknown; body: unknown },
): CallInputOf<TCall> {
  const input = {
    params: parsePart(call.params, request.params, 'params'),
    query: parsePart(call.query, call.query && withContractSpelling(call.query, request.query), 'query'),
    body: parsePart(call.body, request.body, 'body'),
  };
  // The schemas that made it are the ones that its type is made of.
  return input as CallInputOf<TCall>;
}

function parsePart(schema: Call['body'], value: unknown, part: string): unknown {
  if (schema === undefined) return undefined;
  if (part !== 'body') requireHarmless(value);
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  // The places alone: what stood there may be a password.
  const places = result.issues.map((issue) => `${part}.${v.getDotPath(issue) ?? ''} ${issue.type}`);
  throw new ContractError('validation_failed', { detail: places.join(', ') });
}

/** Query parameters are matched without regard to case (wire contract); one that comes twice, in whatever spelling, is refused by its schema. */
function withContractSpelling(schema: NonNullable<Call['query']>, query: unknown): Record<string, unknown> {
  const entries =
    'entries' in schema && typeof schema.entries === 'object' && schema.entries !== null
      ? schema.entries
      : {};
  const spellings = new Map(Object.keys(entries).map((name) => [name.toLowerCase(), name]));
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query ?? {})) {
    const spelling = spellings.get(name.toLowerCase()) ?? name;
    result[spelling] = spelling in result ? [result[spelling], value] : value;
  }
  return result;
}
