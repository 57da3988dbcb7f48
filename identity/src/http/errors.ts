import { errorCatalogue } from '@anteroom/contract';
import type { ErrorCode } from '@anteroom/contract';

export type ContractErrorOptions = {
  /** Shown to the visitor. May contain HTML, which the page sanitises, but no private data. */
  description?: string;
  /** Sent with `invalid_new_password`: the line of the policy that the password breaks. */
  policyLine?: string;
  /** Sent as `Retry-After`, in whole seconds. */
  retryAfterSeconds?: number;
  /** Only logged. */
  detail?: string;
  cause?: unknown;
};

/** An error with a code in the contract. Any other error becomes `internal_error`. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly description: string | undefined;
  readonly policyLine: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly detail: string | undefined;

  constructor(code: ErrorCode, options: ContractErrorOptions = {}) {
    super(options.detail === undefined ? code : `${code}: ${options.detail}`, { cause: options.cause });
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.description = options.description;
    this.policyLine = options.policyLine;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.detail = options.detail;
  }
}
