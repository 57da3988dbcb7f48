import { errorCatalogue } from '@anteroom/contract';
import type { ErrorCode } from '@anteroom/contract';

export type ContractErrorOptions = {
  /** Sent to the visitor; may be HTML, and is shown through a sanitiser. Never put anything private here. */
  description?: string;
  /** Sent with `invalid_new_password`: the line of the policy that is not met. */
  policyLine?: string;
  /** Sent as `Retry-After`, whole seconds. */
  retryAfterSeconds?: number;
  /** For the log alone. */
  detail?: string;
  cause?: unknown;
};

/** A failure that the wire has a code for. Everything else that is thrown becomes `internal_error`. */
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
