import type { FastifyRequest } from 'fastify';
import { RefusedError } from '../admin/problems.ts';

// What requests contain, parsed once.

/**
 * The query parameters.
 * @throws RefusedError for an unknown one, or one that occurs twice
 */
export function readQuery(request: FastifyRequest, names: readonly string[]): Record<string, string> {
  const query = Object.entries(request.query as Record<string, unknown>);
  const problems = query.flatMap(([column, value]) => {
    if (!names.includes(column)) return [{ column, reason: 'is not a parameter of this address' }];
    if (typeof value !== 'string') return [{ column, reason: 'must occur only once' }];
    // A NUL cannot be stored.
    return value.includes('\0') ? [{ column, reason: 'must not contain control characters' }] : [];
  });
  if (problems.length > 0) throw new RefusedError(problems);
  return Object.fromEntries(query) as Record<string, string>;
}

/** Whether a parameter is on: present, and not `false`. */
export const isOn = (value: string | undefined): boolean => value !== undefined && value !== 'false';

/** The only parameter of an address. */
export const readFlag = (request: FastifyRequest, name: string): boolean =>
  isOn(readQuery(request, [name])[name]);

/** @throws RefusedError unless the body is an object */
export function requireObject(body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined || body === null) return {};
  if (typeof body === 'object' && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new RefusedError('the body must be a JSON object');
}
