import { ContractError } from './errors.ts';

/** Deeper than any type of the contract; deeper nesting is an attack on recursive code. */
const deepest = 12;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses the JSON body of a call, which is never an array; undefined for an empty body. @throws `validation_failed` */
export function parseJsonBody(bytes: Buffer): unknown {
  const value = parseJson(bytes);
  if (Array.isArray(value)) throw new ContractError('validation_failed', { detail: 'the body is a list' });
  return value;
}

/**
 * Parses a JSON body; undefined for an empty body.
 * @throws `validation_failed` for anything but JSON in UTF-8, and for a NUL (PostgreSQL cannot store it), an unpaired
 * surrogate, a member named like one of `Object.prototype` (which schemas overlook), or too deep nesting
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (error) {
    throw new ContractError('validation_failed', { detail: 'the body is not JSON in UTF-8', cause: error });
  }
  requireHarmless(value, 0);
  return value;
}

/** @throws `validation_failed` for a text, also inside objects and arrays, that cannot be stored and read back unchanged */
export function requireHarmless(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw new ContractError('validation_failed', { detail: 'a text has a NUL or an unpaired surrogate' });
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
