import { DeliveryError } from './delivery-error.ts';

export type BreakerFigures = { failuresToOpen: number; openSeconds: number };

export type CircuitBreaker = {
  /**
   * Runs `work` while the other system is taken to be well.
   * @throws DeliveryError at once, with the time that is left, while it is not.
   */
  run: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

/**
 * After so many failures in a row another system (a gateway of messages, a board system) is left alone for a
 * while; then one request tries it, and the others go on being
 * refused at once. Of our own because the libraries let those others wait for the one that tries: with a gateway that hangs,
 * two time-outs in a row (read in cockatiel 4.0, `CircuitBreakerPolicy.executeHalfOpen`). Each process has its own: a system
 * may be out of reach for one of them alone.
 */
export function createCircuitBreaker(
  { failuresToOpen, openSeconds }: BreakerFigures = { failuresToOpen: 5, openSeconds: 30 },
  monotonicMs: () => number = () => performance.now(),
): CircuitBreaker {
  let failures = 0;
  let openUntilMs = Number.NEGATIVE_INFINITY;
  let isProbing = false;

  return {
    async run(work) {
      const isOpen = failures >= failuresToOpen;
      if (isOpen && (isProbing || monotonicMs() < openUntilMs)) {
        const leftSeconds = Math.ceil((openUntilMs - monotonicMs()) / 1000);
        throw new DeliveryError('unavailable', 'the gateway has failed too often and is left alone', {
          retryAfterSeconds: Math.max(1, leftSeconds),
        });
      }
      if (isOpen) isProbing = true;
      try {
        const result = await work();
        failures = 0;
        return result;
      } catch (error) {
        if (isFailureOfGateway(error)) {
          failures += 1;
          if (failures >= failuresToOpen) openUntilMs = monotonicMs() + openSeconds * 1000;
        } else {
          failures = 0;
        }
        throw error;
      } finally {
        if (isOpen) isProbing = false;
      }
    },
  };
}

/** A gateway that says no to one message is well. */
function isFailureOfGateway(error: unknown): boolean {
  return !(error instanceof DeliveryError) || error.failure === 'unavailable';
}
