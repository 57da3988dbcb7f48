import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { describeStatement } from '../store/statement-watch.ts';
import type { Metrics } from './metrics.ts';

/** What the front end reports; any other name is counted as `other`, so that nobody fills the memory with names. */
const frontEndNames = new Set([
  'boot',
  'step',
  'todo-click',
  'sign-in',
  'failure',
  'missing-translation',
  'missing-policy-line',
]);

/** Seconds; the interesting ones are 10 ms (one hash) to 1 s (a full queue). */
const buckets = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** Seconds; a statement by key takes some tens of microseconds on the embedded database. */
const statementBuckets = [0.000_1, 0.000_5, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** Only counters end in `_total` (Prometheus, metric naming). The library's gauges without the suffix add up to these. */
const misnamedGauges = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

export function createMetrics(options: { processMetrics: boolean } = { processMetrics: false }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.processMetrics) {
    collectDefaultMetrics({ register: registry });
    for (const name of misnamedGauges) registry.removeSingleMetric(name);
  }

  const requests = new Histogram({
    name: 'anteroom_request_seconds',
    help: 'Requests by call of the contract, or by method and route, and by status',
    labelNames: ['call', 'status'],
    buckets,
    registers,
  });
  const statements = new Histogram({
    name: 'anteroom_database_statement_seconds',
    help: 'Statements of the database by what they do, the table that they name first, and whether they failed',
    labelNames: ['operation', 'table', 'outcome'],
    buckets: statementBuckets,
    registers,
  });
  const hashes = new Histogram({
    name: 'anteroom_password_hash_seconds',
    help: 'Password hashes that were made, without their wait',
    buckets,
    registers,
  });
  const refusedHashes = new Counter({
    name: 'anteroom_password_hashes_refused_total',
    help: 'Password hashes that were refused because the queue was full',
    registers,
  });
  const hashQueue = new Gauge({
    name: 'anteroom_password_hash_queue',
    help: 'Password hashes running and waiting',
    labelNames: ['state'],
    registers,
  });
  const steps = new Counter({
    name: 'anteroom_sign_in_steps_total',
    help: 'Steps of sign-ins by result',
    labelNames: ['step', 'result'],
    registers,
  });
  const auditEvents = new Counter({
    name: 'anteroom_authentication_events_total',
    help: 'What the audit log notes, by event and result',
    labelNames: ['event', 'result'],
    registers,
  });
  const lostAuditEvents = new Counter({
    name: 'anteroom_audit_events_lost_total',
    help: 'Events that could not be written to the audit log: the log alone has them',
    registers,
  });
  const limited = new Counter({
    name: 'anteroom_limited_attempts_total',
    help: 'Attempts that a limit refused, by what had been used up',
    labelNames: ['by'],
    registers,
  });
  const messages = new Counter({
    name: 'anteroom_messages_total',
    help: 'Messages by kind, by what became of them, and by gateway (first, fallback)',
    labelNames: ['kind', 'outcome', 'gateway'],
    registers,
  });
  const signOutNotices = new Counter({
    name: 'anteroom_sign_out_notices_total',
    help: 'Tries to tell an application of a sign-out from server to server, by what became of them; failed: tried again',
    labelNames: ['outcome'],
    registers,
  });
  const policyReports = new Counter({
    name: 'anteroom_content_policy_reports_total',
    help: 'What browsers reported that a content policy forbade, by directive; not-read: past the limit',
    labelNames: ['directive'],
    registers,
  });
  const notices = new Counter({
    name: 'anteroom_notices_total',
    help: 'Tries to send a notice by mail, by what became of them',
    labelNames: ['outcome'],
    registers,
  });
  const noticesWaiting = new Gauge({
    name: 'anteroom_notices_waiting',
    help: 'Notices by mail that are still to be sent, as this process last saw',
    registers,
  });
  const reported = new Counter({
    name: 'anteroom_front_end_reports_total',
    help: 'What front ends reported, by name',
    labelNames: ['name'],
    registers,
  });

  return {
    registry,
    receive(metrics) {
      for (const { name } of metrics) reported.inc({ name: frontEndNames.has(name) ? name : 'other' });
    },
    countSignInStep: (step, result) => steps.inc({ step, result }),
    countAuditEvent: (event, result) => auditEvents.inc({ event, result }),
    countLostAuditEvents: (count) => lostAuditEvents.inc(count),
    countLimited: (by) => limited.inc({ by }),
    countMessage: (kind, outcome, gateway) => messages.inc({ kind, outcome, gateway }),
    watchCodeBudgets(allowed, read) {
      new Gauge({
        name: 'anteroom_code_messages_budget',
        help: 'Code messages that may leave in an hour, to all numbers and to one range of numbers',
        labelNames: ['scope'],
        registers,
        collect() {
          for (const [scope, count] of Object.entries(allowed)) this.set({ scope }, count);
        },
      });
      new Gauge({
        name: 'anteroom_code_messages_last_hour',
        help: 'Code messages of the last hour over all nodes, to all numbers and to the busiest range of numbers',
        labelNames: ['scope'],
        registers,
        async collect() {
          this.reset();
          // without a database there is no figure, and the other metrics are still answered
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
        name: 'anteroom_database_connections',
        help: 'Connections to the database server: open, of these idle, and requests that wait for one',
        labelNames: ['state'],
        registers,
        collect() {
          for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
        },
      });
    },
    watchCertificates(find) {
      new Gauge({
        name: 'anteroom_connection_certificate_expiry_seconds',
        help: 'When the last certificate of a SAML connection expires, in seconds since 1970',
        labelNames: ['connection'],
        registers,
        async collect() {
          const found = await find();
          this.reset();
          for (const { connection, expiresAt } of found) this.set({ connection }, expiresAt.getTime() / 1000);
        },
      });
    },
    watchLostLogLines(lost) {
      new Counter({
        name: 'anteroom_log_lines_lost_total',
        help: 'Lines that were left out of the log, because nobody took them',
        registers,
        collect() {
          this.reset();
          this.inc(lost());
        },
      });
    },
  };
}
