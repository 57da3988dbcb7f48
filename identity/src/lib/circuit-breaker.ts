import { DeliveryError } from './delivery-error.ts';

export type CircuitBreakerOptions = { failuresToOpen: number; openSeconds: number };

export type CircuitBreaker = {
  /**
   * Runs `work` while the circuit is closed.
   * @throws DeliveryError at once while it is open, with the remaining time
   */
  run: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

/**
 * Opens after consecutive failures of another system (a message gateway, a board system). After `openSeconds`, one
 * request tries the system again, while other requests are still rejected at once. Libraries make the other requests
 * wait for the trial, which means two timeouts in a row if a gateway hangs (cockatiel 4.0,
 * `CircuitBreakerPolicy.executeHalfOpen`). Each process has its own circuit, because a system can be unreachable for
 * one process only.
 */
export function createCircuitBreaker(
  { failuresToOpen, openSeconds }: CircuitBreakerOptions = { failuresToOpen: 5, openSeconds: 30 },
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
        throw new DeliveryError('unavailable', 'the circuit is open after too many failures', {
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

/** A gateway that rejects a single message is not failing. */
function isFailureOfGateway(error: unknown): boolean {
  return !(error instanceof DeliveryError) || error.failure === 'unavailable';
}
