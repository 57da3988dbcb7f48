import type { IncomingHttpHeaders } from 'node:http';
import type { Call, CallInputOf } from '@anteroom/contract';
import * as v from 'valibot';
import { ContractError } from './errors.ts';

/** The only accepted content type. A form on another site cannot send it without a preflight request. */
const jsonContentType = /^application\/json(?:\s*;\s*charset=utf-8)?$/i;

/** @throws `unsupported_media_type` */
export function requireJson(headers: IncomingHttpHeaders): void {
  const { 'content-type': type = '', 'content-encoding': encoding } = headers;
  if (!jsonContentType.test(type) || encoding !== undefined)
    throw new ContractError('unsupported_media_type');
}

/**
 * Validates the input of a call.
 * @throws `validation_failed` with the paths that do not match
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
  // The cast is safe, because the type is derived from the schemas that parsed the input.
  return input as CallInputOf<TCall>;
}

function parsePart(schema: Call['body'], value: unknown, part: string): unknown {
  if (schema === undefined) return undefined;
  if (part !== 'body') requireHarmless(value);
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  // Reports only the paths, because a value may be a password.
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

/** The maximum nesting of JSON. No type of the contract is nested more deeply; deeper input attacks recursive code. */
const deepest = 12;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses the JSON body of a call, which is never an array; undefined for an empty body.
 * @throws `validation_failed`
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const value = parseJson(bytes);
  if (Array.isArray(value))
    throw new ContractError('validation_failed', { detail: 'the body must not be an array' });
  return value;
}

/**
 * Parses a JSON body; undefined for an empty body.
 * @throws `validation_failed` for anything but JSON in UTF-8, and for a NUL (PostgreSQL cannot store it), an unpaired
 * surrogate, a member with the name of a property of `Object.prototype` (which schemas overlook), or nesting that is
 * too deep
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (error) {
    throw new ContractError('validation_failed', { detail: 'the body must be JSON in UTF-8', cause: error });
  }
  requireHarmless(value, 0);
  return value;
}

/** @throws `validation_failed` for a text, also inside objects and arrays, that cannot be stored and read back unchanged */
function requireHarmless(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw new ContractError('validation_failed', {
        detail: 'a string must not contain NUL or an unpaired surrogate',
      });
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= deepest)
    throw new ContractError('validation_failed', { detail: `the body must nest at most ${deepest} levels` });
  for (const [name, member] of Object.entries(value)) {
    if (name in Object.prototype)
      throw new ContractError('validation_failed', {
        detail: 'a property must not have a name of Object.prototype',
      });
    requireHarmless(name);
    requireHarmless(member, depth + 1);
  }
}
