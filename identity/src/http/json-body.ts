import { ContractError } from './errors.ts';

/** Deeper than anything the contract has; what nests further is an attack on whoever walks it. */
const deepest = 12;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * A call's JSON, which is never a list, or undefined for an empty body.
 * @throws `validation_failed`
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const value = parseJson(bytes);
  if (Array.isArray(value)) throw new ContractError('validation_failed', { detail: 'the body is a list' });
  return value;
}

/**
 * A request's JSON, or undefined for an empty body.
 * @throws `validation_failed` for what is no JSON in UTF-8, or carries what no call may: a NUL (PostgreSQL cannot keep it),
 * half of a surrogate pair, a member named like one of `Object.prototype` (which schemas look over), or too deep a nesting.
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (error) {
    throw new ContractError('validation_failed', { detail: 'the body is no JSON in UTF-8', cause: error });
  }
  requireHarmless(value, 0);
  return value;
}

/** @throws `validation_failed` for a text, or a text somewhere inside, that cannot be stored or read back as it is. */
export function requireHarmless(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw new ContractError('validation_failed', { detail: 'a text has a NUL or half a surrogate pair' });
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= deepest) throw new ContractError('validation_failed', { detail: 'nested too deeply' });
  for (const [name, member] of Object.entries(value)) {
    if (name in Object.prototype)
      throw new ContractError('validation_failed', { detail: 'a reserved member' });
    requireHarmless(name);
    requireHarmless(member, depth + 1);
  }
}
