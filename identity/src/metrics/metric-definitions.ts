/**
 * `labels` describes the values of each label. Values are names from the source code, never of users, sites or
 * addresses, so that their number is bounded.
 */
export type Definition = {
  type: 'counter' | 'gauge' | 'histogram';
  unit: 'seconds' | 'seconds since 1970' | 'count' | '1';
  help: string;
  labels?: Readonly<Record<string, string>>;
  buckets?: readonly number[];
};

/** In seconds. The important range is from 10 ms (one hash) to 1 s (a full queue). */
const buckets = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** In seconds. A statement by key takes some tens of microseconds on the embedded database. */
const statementBuckets = [0.000_1, 0.000_5, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** All metrics of the service. They are a public interface: `docs/observability.md` is generated from this table. */
export const metricDefinitions = {
  anteroom_build_info: {
    type: 'gauge',
    unit: '1',
    help: 'Always 1; the labels name what runs',
    labels: {
      version: 'of the service',
      commit: 'of a release the commit that it was built from, else `unknown`',
      node: 'version of Node',
      database: '`server` (PostgreSQL) or `embedded`',
    },
  },
  anteroom_request_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Requests by call of the contract, or by method and route, and by status',
    labels: {
      call: 'the name of a call of the contract, else method and route pattern',
      status: 'HTTP status',
    },
    buckets,
  },
  anteroom_authentication_events_total: {
    type: 'counter',
    unit: 'count',
    help: 'Events of the audit log',
    labels: { event: 'an event of the audit log', result: '`success`, `failure`' },
  },
  anteroom_sign_in_steps_total: {
    type: 'counter',
    unit: 'count',
    help: 'Steps of sign-ins by result',
    labels: {
      step: '`password`, `second-factor`, `external`, `password-reset`',
      result: 'a status or an error code of the contract, or what a check found',
    },
  },
  anteroom_limited_attempts_total: {
    type: 'counter',
    unit: 'count',
    help: 'Attempts that a limit refused',
    labels: { by: '`account`, `address`: the limit' },
  },
  anteroom_password_hash_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Password hashes, without their wait',
    buckets,
  },
  anteroom_password_hash_queue: {
    type: 'gauge',
    unit: 'count',
    help: 'Password hashes running and waiting',
    labels: { state: '`running`, `waiting`' },
  },
  anteroom_password_hashes_refused_total: {
    type: 'counter',
    unit: 'count',
    help: 'Password hashes that were refused because the queue was full',
  },
  anteroom_messages_total: {
    type: 'counter',
    unit: 'count',
    help: 'SMS and mail by outcome and gateway',
    labels: {
      kind: '`sms`, `mail`',
      outcome: '`sent`, `unavailable`, `refused`, `invalid-recipient`',
      gateway: '`first`, `fallback`',
    },
  },
  anteroom_code_messages_last_hour: {
    type: 'gauge',
    unit: 'count',
    help: 'Code messages of the last hour over all nodes; absent while the database is away',
    labels: { scope: '`all` numbers, the busiest `range` of numbers' },
  },
  anteroom_code_messages_budget: {
    type: 'gauge',
    unit: 'count',
    help: 'Code messages that may be sent in an hour',
    labels: { scope: '`all` numbers, one `range` of numbers' },
  },
  anteroom_notices_total: {
    type: 'counter',
    unit: 'count',
    help: 'Attempts to send a notice by mail',
    labels: { outcome: '`sent`, `put-off` (tried again later), `given-up`, `refused`' },
  },
  anteroom_notices_waiting: {
    type: 'gauge',
    unit: 'count',
    help: 'Notices by mail that are still to be sent, as this process last counted',
  },
  anteroom_sign_out_notices_total: {
    type: 'counter',
    unit: 'count',
    help: 'Attempts to notify an application of a sign-out',
    labels: { outcome: '`delivered`, `failed` (tried again later), `given-up`' },
  },
  anteroom_database_statement_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Statements of the database',
    labels: {
      operation: 'the first word of the statement, else `other`',
      table: 'the table named first, else `none`',
      outcome: '`done`, `failed`',
    },
    buckets: statementBuckets,
  },
  anteroom_database_connections: {
    type: 'gauge',
    unit: 'count',
    help: 'Connections to the database server, and requests that wait for one; absent with the embedded database',
    labels: { state: '`open`, `idle` (of the open ones), `waiting` (requests)' },
  },
  anteroom_connection_certificate_expiry_seconds: {
    type: 'gauge',
    unit: 'seconds since 1970',
    help: 'When the last certificate of a SAML connection expires',
    labels: { connection: 'the name of the connection' },
  },
  anteroom_audit_events_lost_total: {
    type: 'counter',
    unit: 'count',
    help: 'Audit events that are in the log alone, because they could not be written; must stay 0',
  },
  anteroom_log_lines_lost_total: {
    type: 'counter',
    unit: 'count',
    help: 'Log lines that were left out, because nothing read the log; must stay 0',
  },
  anteroom_content_policy_reports_total: {
    type: 'counter',
    unit: 'count',
    help: 'Violations of the Content Security Policy that browsers reported',
    labels: { directive: 'the directive, `other`, or `not-read` (past the limit)' },
  },
  anteroom_front_end_reports_total: {
    type: 'counter',
    unit: 'count',
    help: 'Reports of front ends',
    labels: { name: 'a report of the front end, else `other`' },
  },
} as const satisfies Readonly<Record<string, Definition>>;

export type MetricName = keyof typeof metricDefinitions;
/** The names of a metric's labels. */
export type LabelOf<Name extends MetricName> = (typeof metricDefinitions)[Name] extends {
  labels: infer Labels;
}
  ? keyof Labels & string
  : never;
