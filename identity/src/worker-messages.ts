import type { Registry } from 'prom-client';
import * as v from 'valibot';

// Messages between the first process and its workers. `ask` is answered under its `id`; `tell` is not. The names must not
// change, because after an upgrade of the files, a first process of the previous release can start workers of this one.

/** `accepted`: how many connections the worker has accepted. `figures`: its metrics. `readiness`: its readiness report. */
const question = v.picklist(['accepted', 'figures', 'readiness']);
export type Question = v.InferOutput<typeof question>;

/** `close`: the node's connections have been accepted, so the port can close. `replace`: another worker has taken over. */
const order = v.picklist(['close', 'replace']);
export type Order = v.InferOutput<typeof order>;

export const toWorker = v.variant('kind', [
  v.object({ kind: v.literal('ask'), id: v.number(), question }),
  v.object({ kind: v.literal('tell'), order }),
]);
export type ToWorker = v.InferOutput<typeof toWorker>;

/** The metrics of a process, as its registry lists them. */
export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;
/** Only the array is checked, because the sender is another process of the same node. */
const processMetrics = v.custom<ProcessMetrics>((input) => Array.isArray(input));

/**
 * `drained`: the worker has waited for load balancers to notice. `last-figures`: its final metrics, after its last
 * response.
 */
export const toFirst = v.variant('kind', [
  v.object({ kind: v.literal('answer'), id: v.number(), answer: v.unknown() }),
  v.object({ kind: v.literal('listening'), port: v.optional(v.number()) }),
  v.object({ kind: v.literal('drained') }),
  v.object({ kind: v.literal('last-figures'), figures: processMetrics }),
]);
export type ToFirst = v.InferOutput<typeof toFirst>;

const finding = v.object({
  check: v.picklist(['stopping', 'workers', 'database', 'keys', 'clock', 'front-end', 'proxies']),
  reason: v.string(),
});
export const answers = {
  accepted: v.number(),
  figures: processMetrics,
  readiness: v.object({
    ready: v.boolean(),
    problems: v.array(finding),
    warnings: v.array(finding),
    checkedAt: v.pipe(
      v.string(),
      v.transform((text) => new Date(text)),
    ),
  }),
} satisfies Record<Question, v.GenericSchema<unknown, unknown>>;
export type AnswerOf<Q extends Question> = v.InferOutput<(typeof answers)[Q]>;
