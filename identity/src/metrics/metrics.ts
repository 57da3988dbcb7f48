import type { Metric } from '@anteroom/contract';
import { frontEndMetrics } from '@anteroom/contract';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { ConnectionCounts } from '../store/server-pool.ts';
import type { WatchedStatement } from '../store/statement-watch.ts';
import { describeStatement } from '../store/statement-watch.ts';
import type { CallHandler } from '../http/routes.ts';
import type { LabelOf, Definition, MetricName } from './metric-definitions.ts';
import { metricDefinitions } from './metric-definitions.ts';

/** Messages with one-time codes in the last hour: to all numbers, and to one range of numbers. */
type MessageCounts = { all: number; range: number };

/** The metrics of the service, for Prometheus. */
export type Metrics = {
  registry: Registry;
  setBuild: (build: Record<LabelOf<'anteroom_build_info'>, string>) => void;
  /** Counts what a front end reported (`POST /api/ui/metrics`); unknown names are counted as `other`. */
  receive: (reported: readonly Metric[]) => void;
  /** Counts a completed step of a sign-in; `result` is a contract status or error code. */
  countSignInStep: (step: string, result: string) => void;
  /** Counts an audit event by result. */
  countAuditEvent: (event: string, result: string) => void;
  /** Counts audit events that could not be written to the database and are only in the log. */
  countLostAuditEvents: (count: number) => void;
  /** Counts an attempt that a limit refused. */
  countLimited: (by: 'account' | 'address') => void;
  /** Counts the outcome of handing a message to a gateway. */
  countMessage: (kind: 'sms' | 'mail', outcome: string, gateway: 'first' | 'fallback') => void;
  /** Registers the budgets of code messages, which are read from the database at each scrape. */
  watchCodeBudgets: (allowed: MessageCounts, read: () => Promise<MessageCounts>) => void;
  /** Counts sign-out notifications to applications, by outcome. */
  countSignOutNotice: (outcome: 'delivered' | 'failed' | 'given-up') => void;
  /** Counts a browser's report of a violation of the content security policy. */
  countPolicyReport: (directive: string) => void;
  /** Counts the outcome of an attempt to send a notice. `setNoticesWaiting` sets the number of unsent notices. */
  countNotice: (outcome: string) => void;
  setNoticesWaiting: (count: number) => void;
  countHash: (outcome: 'done' | 'refused', durationSeconds?: number) => void;
  setHashQueue: (running: number, waiting: number) => void;
  /** `call` is the name of a contract's call, or the method and the pattern of another route. */
  countRequest: (call: string, status: number, durationSeconds: number) => void;
  observeStatement: (statement: WatchedStatement) => void;
  /** Registers the connections to a database server, which are counted at each scrape. */
  watchConnections: (connections: () => ConnectionCounts) => void;
  /** Registers the expiry of companies' certificates, which is read at each scrape. */
  watchCertificates: (find: () => Promise<readonly { connection: string; expiresAt: Date }[]>) => void;
  /** Registers the number of dropped log lines, which is read at each scrape. */
  watchLostLogLines: (lost: () => number) => void;
};

/**
 * Only counters end in `_total` (Prometheus, metric naming). These gauges of the library have the suffix and are
 * removed; its gauges without the suffix add up to the same values.
 */
const misnamedGauges = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

export function createMetrics(options: { processMetrics: boolean } = { processMetrics: false }): Metrics {
  const registry = new Registry();
  /** Converts a definition to the configuration of prom-client. */
  function configure<Name extends MetricName>(name: Name) {
    const definition: Definition = metricDefinitions[name];
    const { help, labels = {}, buckets } = definition;
    // the keys of `labels` are the labels of this definition
    const labelNames = Object.keys(labels) as LabelOf<Name>[];
    return {
      name,
      help,
      labelNames,
      registers: [registry],
      ...(buckets && { buckets: [...buckets] }),
    };
  }
  if (options.processMetrics) {
    collectDefaultMetrics({ register: registry });
    for (const name of misnamedGauges) registry.removeSingleMetric(name);
  }

  const requests = new Histogram(configure('anteroom_request_seconds'));
  const statements = new Histogram(configure('anteroom_database_statement_seconds'));
  const hashes = new Histogram(configure('anteroom_password_hash_seconds'));
  const refusedHashes = new Counter(configure('anteroom_password_hashes_refused_total'));
  const hashQueue = new Gauge(configure('anteroom_password_hash_queue'));
  const steps = new Counter(configure('anteroom_sign_in_steps_total'));
  const auditEvents = new Counter(configure('anteroom_authentication_events_total'));
  const lostAuditEvents = new Counter(configure('anteroom_audit_events_lost_total'));
  const limited = new Counter(configure('anteroom_limited_attempts_total'));
  const messages = new Counter(configure('anteroom_messages_total'));
  const signOutNotices = new Counter(configure('anteroom_sign_out_notices_total'));
  const policyReports = new Counter(configure('anteroom_content_policy_reports_total'));
  const notices = new Counter(configure('anteroom_notices_total'));
  const noticesWaiting = new Gauge(configure('anteroom_notices_waiting'));
  const reported = new Counter(configure('anteroom_front_end_reports_total'));

  return {
    registry,
    setBuild(build) {
      new Gauge(configure('anteroom_build_info')).set(build, 1);
    },
    receive(metrics) {
      for (const { name } of metrics)
        reported.inc({ name: Object.hasOwn(frontEndMetrics, name) ? name : 'other' });
    },
    countSignInStep: (step, result) => steps.inc({ step, result }),
    countAuditEvent: (event, result) => auditEvents.inc({ event, result }),
    countLostAuditEvents: (count) => lostAuditEvents.inc(count),
    countLimited: (by) => limited.inc({ by }),
    countMessage: (kind, outcome, gateway) => messages.inc({ kind, outcome, gateway }),
    watchCodeBudgets(allowed, read) {
      new Gauge({
        ...configure('anteroom_code_messages_budget'),
        collect() {
          for (const [scope, count] of Object.entries(allowed)) this.set({ scope }, count);
        },
      });
      new Gauge({
        ...configure('anteroom_code_messages_last_hour'),
        async collect() {
          this.reset();
          // If the database is unavailable, this metric is omitted and the other metrics are still returned.
          const used = await read().catch(() => ({}));
          for (const [scope, count] of Object.entries(used)) this.set({ scope }, count);
        },
      });
    },
    countSignOutNotice: (outcome) => signOutNotices.inc({ outcome }),
    countPolicyReport: (directive) => policyReports.inc({ directive }),
    countNotice: (outcome) => notices.inc({ outcome }),
    setNoticesWaiting: (count) => noticesWaiting.set(count),
    countHash(outcome, durationSeconds = 0) {
      if (outcome === 'refused') refusedHashes.inc();
      else hashes.observe(durationSeconds);
    },
    setHashQueue(running, waiting) {
      hashQueue.set({ state: 'running' }, running);
      hashQueue.set({ state: 'waiting' }, waiting);
    },
    countRequest: (call, status, durationSeconds) =>
      requests.observe({ call, status: String(status) }, durationSeconds),
    observeStatement({ sql, durationMs, failed }) {
      const outcome = failed ? 'failed' : 'done';
      statements.observe({ ...describeStatement(sql), outcome }, durationMs / 1000);
    },
    watchConnections(connections) {
      new Gauge({
        ...configure('anteroom_database_connections'),
        collect() {
          for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
        },
      });
    },
    watchCertificates(find) {
      new Gauge({
        ...configure('anteroom_connection_certificate_expiry_seconds'),
        async collect() {
          const found = await find();
          this.reset();
          for (const { connection, expiresAt } of found) this.set({ connection }, expiresAt.getTime() / 1000);
        },
      });
    },
    watchLostLogLines(lost) {
      new Counter({
        ...configure('anteroom_log_lines_lost_total'),
        collect() {
          this.reset();
          this.inc(lost());
        },
      });
    },
  };
}

/**
 * `POST /api/ui/metrics`: counts the metrics of a front end, and logs them in development. The contract's schema and
 * the body limit bound their size.
 */
export function createPostMetrics({ metrics }: { metrics: Metrics }): CallHandler<'postMetrics'> {
  return ({ body }, { log }) => {
    metrics.receive(body.metricData);
    log.debug({ names: body.metricData.map(({ name }) => name) }, 'reported by the front end');
    return Promise.resolve(undefined);
  };
}
