import type { IncomingHttpHeaders } from 'node:http';
import type { Call, CallInputOf } from '@anteroom/contract';
import * as v from 'valibot';
import { ContractError } from './errors.ts';
import { requireHarmless } from './json-body.ts';

/** An exact match: a plain form of another site can send any other content type without a preflight request. */
const jsonContentType = /^application\/json(?:\s*;\s*charset=utf-8)?$/i;

/** @throws `unsupported_media_type` */
export function requireJson(headers: IncomingHttpHeaders): void {
  const { 'content-type': type = '', 'content-encoding': encoding } = headers;
  if (!jsonContentType.test(type) || encoding !== undefined)
    throw new ContractError('unsupported_media_type');
}

/** Validates the input of a call. @throws `validation_failed` with the paths that do not match */
export function parseInput<TCall extends Call>(
  call: TCall,
  request: { params: unknown; query: unknown; body: unknown },
): CallInputOf<TCall> {
  const input = {
    params: parsePart(call.params, request.params, 'params'),
    query: parsePart(call.query, call.query && withContractSpelling(call.query, request.query), 'query'),
    body: parsePart(call.body, request.body, 'body'),
  };
  // the schemas that parsed it also define its type
  return input as CallInputOf<TCall>;
}

function parsePart(schema: Call['body'], value: unknown, part: string): unknown {
  if (schema === undefined) return undefined;
  if (part !== 'body') requireHarmless(value);
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  // only the paths, because a value may be a password
  const places = result.issues.map((issue) => `${part}.${v.getDotPath(issue) ?? ''} ${issue.type}`);
  throw new ContractError('validation_failed', { detail: places.join(', ') });
}

/** Matches query parameters case-insensitively (wire contract); the schema rejects a parameter that occurs twice in any spelling. */
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
