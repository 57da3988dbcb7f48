/** `invalid-recipient`: the address does not exist. `refused`: the gateway rejects the message. `unavailable`: a temporary failure. */
export type DeliveryFailure = 'invalid-recipient' | 'refused' | 'unavailable';

/**
 * A message was not delivered, or another system did not respond to a request. The message or request may have arrived
 * nevertheless. The error never contains the content.
 */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly failure: DeliveryFailure;
  /** The gateway may have accepted the message although no response arrived: sending it again could deliver it twice. */
  readonly mayHaveArrived: boolean;
  /** When to retry, if known. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    failure: DeliveryFailure,
    detail: string,
    options: { mayHaveArrived?: boolean; retryAfterSeconds?: number | undefined; cause?: unknown } = {},
  ) {
    super(`${failure}: ${detail}`, { cause: options.cause });
    this.failure = failure;
    this.mayHaveArrived = options.mayHaveArrived ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * The code of a failed `fetch`, for logs. The error's message is not logged, because it may contain the URL with
 * secrets or names.
 */
export function codeOfFailedFetch(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return 'timeout';
  const { cause } = error;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : error.name;
}
