import type { Logger } from 'pino';
import type { Audit } from './audit/audit.ts';
import { createAudit } from './audit/create-audit.ts';
import type { Config } from './config/config.ts';
import { findCertificateExpiries } from './company/saml/certificates.ts';
import { createErrorRecords } from './error-records/error-records.ts';
import type { ErrorRecords } from './error-records/error-records.ts';
import type { Clock } from './lib/clock.ts';
import type { Keys } from './lib/keys.ts';
import type { Log } from './lib/log.ts';
import type { Random } from './lib/random.ts';
import { createLimits } from './limits/limits.ts';
import type { Limits } from './limits/limits.ts';
import { codeMail } from './messages/code-mail.ts';
import { codeSmsText } from './messages/code-sms.ts';
import { createMessages } from './messages/create-messages.ts';
import { createNotices } from './messages/notices.ts';
import type { Notices } from './messages/notices.ts';
import { notingBounces } from './messages/mail-bounces.ts';
import type { Messages } from './messages/messages.ts';
import { createMetrics } from './metrics/metrics.ts';
import type { Metrics } from './metrics/metrics.ts';
import { noTracing } from './lib/tracing.ts';
import type { Tracing } from './lib/tracing.ts';
import { createFactors } from './factors/create-factors.ts';
import type { FactorService } from './factors/create-factors.ts';
import { createPasskeys } from './factors/create-passkeys.ts';
import type { Passkeys } from './factors/passkeys.ts';
import { createPasswords } from './passwords/passwords.ts';
import type { Passwords } from './passwords/passwords.ts';
import { createBlocklist } from './passwords/policy-blocklist.ts';
import type { Blocklist } from './passwords/policy-blocklist.ts';
import { createStoredKinds } from './passwords/stored-kinds.ts';
import { createRegions } from './regions/regions.ts';
import type { Regions } from './regions/regions.ts';
import { createSessions } from './sessions/create-sessions.ts';
import type { Sessions } from './sessions/session.ts';
import type { OpenDatabase } from './store/open-database.ts';
import type { Database } from './store/schema.ts';
import { describeStatement } from './store/statement-watch.ts';
import type { StatementWatch } from './store/statement-watch.ts';
import { createToDos } from './todos/to-dos.ts';
import type { ToDoSource } from './todos/to-dos.ts';

import manifest from '../../package.json' with { type: 'json' };

/** What the service gets from outside; tests supply their own clock, random source and database. */
export type AppDependencies = {
  config: Config;
  database: Database;
  keys: Keys;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Undefined if tracing is off. */
  tracing?: Tracing;
  /** Observes statements for metrics and traces; undefined if both are off. */
  statements?: Pick<StatementWatch, 'add'> | undefined;
  connections?: OpenDatabase['connections'] | undefined;
  /** The number of dropped log lines. */
  lostLogLines?: () => number;
  /** The time for a request body to arrive; only tests set it. */
  bodyMs?: number;
};

/** The services that every feature can use: the dependencies, and the parts built directly from them. */
export type Services = Omit<AppDependencies, 'log'> & {
  log: Log;
  sessions: Sessions;
  passwords: Passwords;
  blocklist: Blocklist;
  limits: Limits;
  /** The limits for wrong one-time codes. */
  codeLimits: Limits;
  sms: Messages['sms'];
  mail: Messages['mail'];
  notices: Notices;
  /** Resolves when no message is in flight. */
  settleMessages: Messages['settle'];
  factors: FactorService;
  /** Undefined if no RP ID is configured. */
  passkeys: Passkeys | undefined;
  toDos: ToDoSource;
  errorRecords: ErrorRecords;
  metrics: Metrics;
  /** Records events in the background. */
  audit: Audit;
  /** Undefined if there is only one region. */
  regions: Regions | undefined;
};

/** Creates the services from the dependencies. */
export async function createServices(dependencies: AppDependencies): Promise<Services> {
  const { config, keys } = dependencies;
  const metrics = createMetrics({ processMetrics: config.metrics !== undefined });
  const { tracing = noTracing, statements, connections } = dependencies;
  // Only the manifest of a release contains the commit.
  const { version, commit = 'unknown' }: { version: string; commit?: string } = manifest;
  metrics.setBuild({
    version,
    commit,
    node: process.version,
    database: config.database.kind,
  });
  watchDatabase(metrics, tracing, statements, connections);
  if (dependencies.lostLogLines !== undefined) metrics.watchLostLogLines(dependencies.lostLogLines);
  metrics.watchCertificates(() => findCertificateExpiries(dependencies.database).catch(() => []));
  const limitsNeed = { ...dependencies, keyRing: keys.limits, countLimited: metrics.countLimited };
  const audit = createAudit(
    {
      ...dependencies,
      keyRing: keys.limits,
      countEvent: metrics.countAuditEvent,
      countLost: metrics.countLostAuditEvents,
    },
    config.audit,
  );
  const messages = createMessages({
    ...dependencies,
    tracing,
    count: metrics.countMessage,
    noteBounces: (sender) =>
      notingBounces(sender, {
        ...dependencies,
        onBounce: (userId, reason) =>
          audit.note(
            { event: 'mail.bounce', result: 'failure', reason, userId },
            { correlationId: dependencies.random.token(16) },
          ),
      }),
  });
  const notices = createNotices({
    ...dependencies,
    mail: messages.mail,
    count: metrics.countNotice,
    setWaiting: metrics.setNoticesWaiting,
  });
  const factors = createFactors(
    {
      ...dependencies,
      keyRing: keys.oneTimeSecrets,
      sealing: keys.authenticatorSecrets,
      sendSms: ({ to, ...facts }) =>
        messages.sms.send({ to, text: codeSmsText({ ...facts, publicUrl: config.publicUrl }) }),
      sendMail: ({ to, ...facts }) =>
        messages.mail.send({ to, ...codeMail({ ...facts, supportUrl: config.frontEnd.globalSupportUrl }) }),
    },
    config.codes,
  );
  metrics.watchCodeBudgets(
    { all: config.codes.perHour, range: config.codes.perHourAndRange },
    factors.countLastHour,
  );
  return {
    ...dependencies,
    metrics,
    regions: createRegions(dependencies),
    audit,
    sessions: createSessions({ ...dependencies, keyRing: keys.sessionIds }, config.sessions),
    passwords: await createPasswords(config.passwords, {
      storedKinds: createStoredKinds(dependencies),
      tracing,
      metrics,
    }),
    blocklist: createBlocklist(config.breachedPasswordsFile),
    limits: createLimits(limitsNeed, config.limits),
    codeLimits: createLimits(limitsNeed, config.codeLimits),
    sms: messages.sms,
    mail: messages.mail,
    notices,
    async settleMessages() {
      await notices.settle();
      await messages.settle();
    },
    factors,
    passkeys:
      config.passkeys && createPasskeys({ ...dependencies, keyRing: keys.oneTimeSecrets }, config.passkeys),
    toDos: createToDos(config.boardSystems, dependencies),
    errorRecords: createErrorRecords(dependencies),
  };
}

function watchDatabase(
  metrics: Metrics,
  tracing: Tracing,
  statements: AppDependencies['statements'],
  connections: AppDependencies['connections'],
): void {
  statements?.add(metrics.observeStatement);
  statements?.add(({ sql, durationMs, failed }) => {
    const { operation, table } = describeStatement(sql);
    // The text is safe to report: it contains placeholders instead of values.
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': sql,
    };
    tracing.noteEnded(`${operation} ${table}`, attributes, durationMs, failed);
  });
  if (connections !== undefined) metrics.watchConnections(connections);
}
