import type { CallHandler } from '../http/implementation.ts';
import type { Metrics } from './metrics.ts';

/** `POST /api/ui/metrics`: counted, and told to the log in development; bounded by the contract's own schema and the body limit. */
export function createPostMetrics({ metrics }: { metrics: Metrics }): CallHandler<'postMetrics'> {
  return ({ body }, { log }) => {
    metrics.receive(body.metricData);
    log.debug({ names: body.metricData.map(({ name }) => name) }, 'reported by the front end');
    return Promise.resolve(undefined);
  };
}
