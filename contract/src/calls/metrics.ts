import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { maybe } from '../schema.ts';

export const metricDataMaximumCount = 50;

/** The metrics that the front end reports, with their members of `data`. The service counts every other name as `other`. */
export const frontEndMetrics = {
  'todo-click':
    'a visitor chose a badge of a board; `type` is its kind, `site` the board, `value` the count shown',
  'text-missing': '`what` could not be shown in the language of the visitor',
} as const;

const metric = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[a-z][a-zA-Z0-9_.-]{0,63}$/)),
  value: v.optional(v.pipe(v.number(), v.finite())),
  /** ISO 8601, UTC. */
  at: v.pipe(v.string(), v.isoTimestamp()),
  data: v.optional(
    v.record(v.pipe(v.string(), v.maxLength(64)), v.union([v.string(), v.number(), v.boolean()])),
  ),
});
export type Metric = v.InferOutput<typeof metric>;
/** A metric of this release. The wire accepts any name, because the front end of another release can report others. */
export type FrontEndMetric = Metric & { name: keyof typeof frontEndMetrics };

export const postMetrics = defineCall({
  method: 'POST',
  path: '/api/ui/metrics',
  summary: 'Report front-end metrics; never delays or blocks the visitor',
  kind: 'empty',
  body: v.strictObject({ metricData: v.pipe(v.array(metric), v.maxLength(metricDataMaximumCount)) }),
  background: true,
  keepalive: true,
});

export const getConfig = defineCall({
  method: 'GET',
  path: '/ui/config.json',
  summary: 'Addresses and switches of an installation; t is a timestamp that bypasses caches',
  kind: 'json',
  query: v.object({ t: v.optional(v.string()) }),
  answer: v.object({
    globalSupportUrl: maybe(v.string()),
    privacyPolicyBaseUrl: maybe(v.string()),
    directorClientIds: maybe(v.array(v.string())),
    /** The page for a visitor without a sign-in. */
    homeUri: maybe(v.string()),
    /** Outside production: the route home/sample-destination-url shows the address to which a flow would have navigated. */
    sampleDestination: maybe(v.boolean()),
  }),
  repeatable: true,
  ownOrigin: true,
  background: true,
});
