// Generates docs/observability.md from the tables of the service; --check only compares the page with the tables.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { frontEndMetrics } from '../contract/src/index.ts';
import { auditDetails, auditEvents } from '../identity/src/audit/audit.ts';
import { logFields } from '../identity/src/lib/log.ts';
import { metricDefinitions } from '../identity/src/metrics/metric-definitions.ts';

/** Every change of a name, a type, a unit or a label needs a new version, whose fingerprint the check prints. */
const versions = [
  { version: 1, date: '2026-11-23', fingerprint: 'f72b6994c98a', changes: 'The first published list' },
  { version: 2, date: '2026-11-23', fingerprint: 'c76a58d9a5c9', changes: 'The event `mail.bounce`' },
  { version: 3, date: '2026-11-23', fingerprint: 'b9f8ede808aa', changes: 'The audit event `device.forget`' },
  { version: 4, date: '2026-11-23', fingerprint: 'f629b65e1c13', changes: 'The audit event `user.export`' },
  {
    version: 5,
    date: '2026-11-23',
    fingerprint: 'a579dd8d6975',
    changes: 'The log fields `worker` and `workers`',
  },
  {
    version: 6,
    date: '2026-11-23',
    fingerprint: '812c34d25103',
    changes:
      'The audit details `resource` and `action` replace `noun` and `verb`; the outcome `delivered` replaces `told`',
  },
  {
    version: 7,
    date: '2026-11-26',
    fingerprint: '0f7b4c93e06f',
    changes: 'Without the log fields `worker` and `workers`',
  },
  {
    version: 8,
    date: '2026-11-26',
    fingerprint: '04f3636d1e2c',
    changes: 'The log field `userId` replaces `personId`',
  },
  {
    version: 9,
    date: '2026-11-26',
    fingerprint: 'ca4bd47689bc',
    changes:
      'The audit detail `via`; `operator` is the id of a user or client where it is not the shell’s name',
  },
] as const;

const file = new URL('../docs/observability.md', import.meta.url);
const metrics = Object.entries(metricDefinitions).map(([name, metric]) => ({
  name,
  ...metric,
  labels: 'labels' in metric ? Object.entries<string>(metric.labels) : [],
}));
const events = Object.entries(auditEvents);

/** The public interface of metrics, logs and audit events: names, types, units and labels, without descriptions. */
const fingerprint = createHash('sha256')
  .update(
    [
      ...metrics.map(({ name, type, unit, labels }) => [name, type, unit, ...labels.map(([label]) => label)]),
      ...events.map(([name, { details }]) => [name, ...details.toSorted()]),
      ...[auditDetails, logFields, frontEndMetrics].map((table) => Object.keys(table).toSorted()),
    ]
      .map((names) => names.join(' '))
      .toSorted()
      .join('\n'),
  )
  .digest('hex')
  .slice(0, 12);

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' ') || '–';
const rows = (table: Readonly<Record<string, string>>): string =>
  Object.entries(table)
    .map(([name, meaning]) => `| \`${name}\` | ${meaning} |`)
    .join('\n');

const wanted = `# Metrics, log fields and audit events

Version ${versions.at(-1)?.version}. Written from the tables of the service by \`node tools/write-observability.ts\`; a check fails when this page differs from them.

Dashboards, alert rules and log searches may rely on the names below. A name, type, unit or label changes only with a new version:

| version | date | changes | fingerprint |
| --- | --- | --- | --- |
${versions.map(({ version, date, changes, fingerprint: print }) => `| ${version} | ${date} | ${changes} | \`${print}\` |`).join('\n')}

New names may appear with a new version; readers ignore names that they do not know. Explanations may change at any time. [operations.md](operations.md) says how to reach all of these, and what is worth an alarm.

## Metrics

At \`http://METRICS_HOST:METRICS_PORT/metrics\`, beside the process metrics of Node (\`nodejs_*\`, \`process_*\`), which are the client library's and not part of this version.

| metric | type | unit | labels | help |
| --- | --- | --- | --- | --- |
${metrics.map(({ name, type, unit, labels, help }) => `| \`${name}\` | ${type} | ${unit} | ${code(labels.map(([label]) => label))} | ${help} |`).join('\n')}

| label of | label | values |
| --- | --- | --- |
${metrics.flatMap(({ name, labels }) => labels.map(([label, values]) => `| \`${name}\` | \`${label}\` | ${values} |`)).join('\n')}

Values of \`name\` in \`anteroom_front_end_reports_total\`:

| report | meaning |
| --- | --- |
${rows(frontEndMetrics)}
| \`other\` | a report that this release does not know |

## Log lines

The log is one JSON object a line on standard output. Every line has \`level\`, \`time\` (ISO 8601, UTC) and \`msg\`. Texts of \`msg\` may change at any time: search by fields.

| level | meaning | at \`LOG_LEVEL=info\` |
| --- | --- | --- |
| \`fatal\` | an error outside every request; the process exits with 1 | yes |
| \`error\` | a fault of the service or of its installation: an operator must act | yes |
| \`warn\` | something outside the service failed (database, gateway, identity provider, application), or a setting is doubtful | yes |
| \`info\` | requests, refusals, audit events, start and stop | yes |
| \`debug\` | requests for files and health, jobs that were done | no |

\`LOG_LEVEL\` also takes \`trace\` (the same as \`debug\`) and \`silent\` (no lines). At \`warn\` the log has no audit events; the table \`audit_events\` has them at every level.

| field | meaning |
| --- | --- |
${rows(logFields)}

## Audit events

Each is a row of \`audit_events\` with \`number\`, \`at\`, \`event\`, \`result\`, \`reason\`, \`user_id\`, \`session_hash\`, \`site\`, \`client_id\`, \`connection\`, \`correlation_id\`, \`address\` and \`details\`, and except for those of operators a line of the log.

| event | noted when | details |
| --- | --- | --- |
${events.map(([name, { when, details }]) => `| \`${name}\` | ${when} | ${code(details)} |`).join('\n')}

| detail | meaning |
| --- | --- |
${rows(auditDetails)}
`;

const problems: string[] = [];
if (fingerprint !== versions.at(-1)?.fingerprint)
  problems.push(
    `metrics, log fields or audit events changed: raise the version in tools/write-observability.ts, with the fingerprint ${fingerprint}`,
  );
if (!process.argv.includes('--check')) writeFileSync(file, wanted);
else if (readFileSync(file, 'utf8') !== wanted)
  problems.push(
    'docs/observability.md is out of date: run `node tools/write-observability.ts`; a changed name, type, unit or label needs a new version there',
  );
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
