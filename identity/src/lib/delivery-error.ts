/** `invalid-recipient`: there is nobody at that address. `refused`: the gateway will not. `unavailable`: it cannot now. */
export type DeliveryFailure = 'invalid-recipient' | 'refused' | 'unavailable';

/** A message that was not delivered, or a question to another system that was not answered; perhaps it arrived all the same. It never carries what was sent. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly failure: DeliveryFailure;
  /** The gateway may have taken it although no answer came: sending it again could deliver it twice. */
  readonly mayHaveArrived: boolean;
  /** When it makes sense to try again, where that is known. */
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
